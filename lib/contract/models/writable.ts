import * as z from 'zod/mini'

/**
 * The schema of a body that is sent: `update`, but what only `read` has is dropped instead of refused, so that a
 * body which was read can be changed and sent back. A field that neither has is still a fault. `prepare` brings what may
 * be sent in another form into this one.
 */
export const writable = <Update extends z.ZodMiniObject, Read extends z.ZodMiniObject>(
  update: Update,
  read: Read,
  prepare: (given: unknown) => unknown = (given) => given,
) => {
  const ignored = Object.keys(read.def.shape).filter((field) => !Object.hasOwn(update.def.shape, field))
  // The class instead of `z.pipe`, which would have a type for what goes in before anything was checked.
  const pipe: unknown = new z.ZodMiniPipe({
    type: 'pipe',
    in: z.transform((given: unknown) => without(prepare(given), ignored)),
    out: update,
  })
  // The class alone doesn't know what it was made of.
  return pipe as z.ZodMiniPipe<z.ZodMiniTransform<unknown, unknown>, Update>
}

/** A copy without these own keys; anything that isn't an object goes through as it is. */
function without(given: unknown, keys: readonly string[]): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  // Spread defines every key of the copy, `__proto__` too, where assignment would set the prototype and lose the key.
  const copy: Record<string, unknown> = { ...given }
  for (const key of keys) delete copy[key]
  return copy
}
