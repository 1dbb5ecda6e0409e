import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'
import type { Picture } from './palette-png.ts'

export interface Comparison {
  /** The part of the content that looks different, from 0 to 1. Background counts only where it differs. */
  readonly share: number
  /** Expected, actual and difference next to each other, as a PNG. */
  readonly illustration: () => Buffer
}

/** Extends a picture to the right and below with the color of its last pixel. */
const extend = (picture: Picture, width: number, height: number): Picture => {
  const data = Buffer.alloc(width * height * 4)
  data.fill(picture.data.subarray(-4))
  for (let line = 0; line < picture.height; line += 1)
    picture.data.copy(data, line * width * 4, line * picture.width * 4, (line + 1) * picture.width * 4)
  return { width, height, data }
}

/** Width and height of the squares whose average colors are compared. */
const square = 4

/**
 * Averages squares of pixels. Another version of the font library draws edges of letters differently, and may move a
 * letter by part of a pixel. Both hardly change an average.
 */
const average = ({ width, height, data }: Picture): Picture => {
  const [columns, rows] = [Math.ceil(width / square), Math.ceil(height / square)]
  const averages = Buffer.alloc(columns * rows * 4)
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const [right, bottom] = [Math.min(width, (column + 1) * square), Math.min(height, (row + 1) * square)]
      // A variable for each channel: pictures have millions of pixels, and an array would take several times as long.
      let [red, green, blue, opacity] = [0, 0, 0, 0]
      for (let y = row * square; y < bottom; y += 1)
        for (let at = (y * width + column * square) * 4; at < (y * width + right) * 4; at += 4) {
          red += data[at] ?? 0
          green += data[at + 1] ?? 0
          blue += data[at + 2] ?? 0
          opacity += data[at + 3] ?? 0
        }
      const count = (right - column * square) * (bottom - row * square)
      const to = (row * columns + column) * 4
      averages[to] = Math.round(red / count)
      averages[to + 1] = Math.round(green / count)
      averages[to + 2] = Math.round(blue / count)
      averages[to + 3] = Math.round(opacity / count)
    }
  return { width: columns, height: rows, data: averages }
}

/** Counts the squares that are not background, which is what the pictures show most often. */
const countContent = (pictures: readonly Picture[]): number => {
  const lists = pictures.map(({ data }) => new Uint32Array(data.buffer, data.byteOffset, data.length / 4))
  const counts = new Map<number, number>()
  for (const list of lists) for (const color of list) counts.set(color, (counts.get(color) ?? 0) + 1)
  const [background] = [...counts].reduce((most, other) => (other[1] > most[1] ? other : most), [0, 0])
  const isContent = (_: number, at: number) => lists.some((list) => list[at] !== background)
  return lists[0]?.filter(isContent).length ?? 0
}

const illustrate = (expected: Picture, actual: Picture): Buffer => {
  const { width, height } = expected
  const difference = Buffer.alloc(width * height * 4)
  pixelmatch(expected.data, actual.data, difference, width, height, { threshold: 0.2 })
  const all = new PNG({ width: width * 3, height })
  for (const [at, data] of [expected.data, actual.data, difference].entries())
    for (let line = 0; line < height; line += 1)
      data.copy(all.data, (line * 3 + at) * width * 4, line * width * 4, (line + 1) * width * 4)
  return PNG.sync.write(all)
}

/** Compares two pictures as a person would. */
export const comparePictures = (first: Picture, second: Picture): Comparison => {
  const width = Math.max(first.width, second.width)
  const height = Math.max(first.height, second.height)
  const [expected, actual] = [extend(first, width, height), extend(second, width, height)]
  const [one, other] = [average(expected), average(actual)]
  const count = pixelmatch(one.data, other.data, undefined, one.width, one.height, {
    threshold: 0.1,
    includeAA: true,
  })
  return {
    share: count / Math.max(1, countContent([one, other])),
    illustration: () => illustrate(expected, actual),
  }
}
