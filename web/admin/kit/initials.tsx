/** The initials of a person beside their name, so that a list is easier to scan. They are no part of its text. */
export const Initials = ({ name }: { readonly name: string }) => (
  <span class="initials" aria-hidden="true" data-initials={readInitials(name)} />
)

/** The first letters of the first and the last word. An address has one word before its `@`. */
const readInitials = (name: string): string => {
  const words =
    name
      .split('@', 1)
      .join()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0])
  return letters.join('').toUpperCase()
}
