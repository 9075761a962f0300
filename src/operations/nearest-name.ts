/** Which known name a mistyped one was meant to be, for surfaces: of core they may use types and errors alone. */

export { nearestName } from '../core/text/nearest-name.js';
