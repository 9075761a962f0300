/** Gives a schema its description. `.check(z.describe(…))` would copy the schema, some 40 µs each on every start. */

import * as z from 'zod/mini';

/** The same schema, described for a stranger at a terminal and for a model choosing a tool. Each needs one of its own. */
export function described<Schema extends z.ZodMiniType>(description: string, schema: Schema): Schema {
  if (z.globalRegistry.has(schema))
    throw new TypeError(`"${description}" describes a schema that is described already`);
  z.globalRegistry.add(schema, { description });
  return schema;
}
