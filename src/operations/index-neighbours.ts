/** Who and what is at the index beside us, as status and doctor say it. */

import * as z from 'zod/mini';
import { described } from './described.js';

export const indexNeighbours = {
  lockedBy: described('Process and host that write to the index now; empty: nobody', z.string()),
  orphans: described(
    'Files beside the index that no run needs: remains of killed rebuilds, indexes of other versions',
    z.array(z.string()),
  ),
};
