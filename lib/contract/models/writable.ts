import * as z from 'zod/mini'

/**
 * Builds the schema of a request body: `update`, but fields that only `read` has are ignored. Clients can therefore
 * change a body that they read and send it back. A field that neither schema has is still an error. `prepare` converts
 * other accepted forms of the body.
 */
export const writable = <Update extends z.ZodMiniObject, Read extends z.ZodMiniObject>(
  update: Update,
  read: Read,
  prepare: (given: unknown) => unknown = (given) => given,
) => {
  const ignored = Object.keys(read.def.shape).filter((field) => !Object.hasOwn(update.def.shape, field))
  // `z.pipe` would require a type for the input, which has not been checked yet.
  const pipe: unknown = new z.ZodMiniPipe({
    type: 'pipe',
    in: z.transform((given: unknown) => removeKeys(prepare(given), ignored)),
    out: update,
  })
  // The constructor does not infer the type of its parts.
  return pipe as z.ZodMiniPipe<z.ZodMiniTransform<unknown, unknown>, Update>
}

/** Returns a copy without the given own keys. Anything that is not an object is returned unchanged. */
function removeKeys(given: unknown, keys: readonly string[]): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  // Spread also copies an own `__proto__` key. An assignment would set the prototype and lose the key.
  const copy: Record<string, unknown> = { ...given }
  for (const key of keys) delete copy[key]
  return copy
}
