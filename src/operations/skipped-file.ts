/** How replies name a file that should have been read and was not. */

import * as z from 'zod/mini';
import { described } from './described.js';

const skippedFile = () =>
  z.strictObject({
    path: described('Path relative to the vault', z.string()),
    reason: described('Why, in words', z.string()),
  });

export const skippedFiles = () => described('Files that could not be read', z.array(skippedFile()));
