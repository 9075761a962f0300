/** How many tokens a text takes, for surfaces: of core they may use types and errors alone. */

export { estimateTokens } from '../core/text/estimate-tokens.js';
