/** The text is not in the expected form. It can still be valid JSON. */
export class UnusualText extends Error {}

const backslash = 92
const quote = 34
const comma = 44

/** Reads JSON without white space from its beginning to its end. All methods throw `UnusualText` for other text. */
export class TextCursor {
  readonly text: string
  at = 0
  readonly #hasEscapes: boolean

  constructor(text: string) {
    this.text = text
    this.#hasEscapes = text.includes('\\')
  }

  /** Continues after these characters if they come next. */
  skip(characters: string): boolean {
    if (!this.text.startsWith(characters, this.at)) return false
    this.at += characters.length
    return true
  }

  expect(code: number): void {
    if (this.text.charCodeAt(this.at) !== code) throw new UnusualText()
    this.at += 1
  }

  /** Whether a comma comes next. Otherwise the end of the list or map has to come. */
  continues(end: number): boolean {
    const next = this.text.charCodeAt(this.at)
    this.at += 1
    if (next === comma) return true
    if (next === end) return false
    throw new UnusualText()
  }

  readString(): string {
    const { text } = this
    const end = this.findEndOfString()
    const slice = text.slice(this.at + 1, end)
    const hasEscapes = this.#hasEscapes && slice.includes('\\')
    const value: string = hasEscapes ? JSON.parse(text.slice(this.at, end + 1)) : slice
    this.at = end + 1
    return value
  }

  /** The index of the quote after a string that comes next. */
  findEndOfString(): number {
    const { text, at } = this
    if (text.charCodeAt(at) !== quote) throw new UnusualText()
    let end = text.indexOf('"', at + 1)
    while (this.#hasEscapes && end > at && this.#isEscaped(end)) end = text.indexOf('"', end + 1)
    if (end < 0) throw new UnusualText()
    return end
  }

  /** Whether an odd number of backslashes comes before a quote of the string that comes next. */
  #isEscaped(end: number): boolean {
    let first = end
    while (this.text.charCodeAt(first - 1) === backslash) first -= 1
    return (end - first) % 2 === 1
  }
}
