import { buildIcon } from '../../../build/pages/build-icon.ts'

/** A keyhole on a shield, in the colors of the pages. `#` is the shield and `o` the keyhole. */
const drawing = [
  '................',
  '..############..',
  '..############..',
  '..####oooo####..',
  '..###oooooo###..',
  '..###oooooo###..',
  '..####oooo####..',
  '..#####oo#####..',
  '..#####oo#####..',
  '..#####oo#####..',
  '...####oo####...',
  '...##########...',
  '....########....',
  '.....######.....',
  '.......##.......',
  '................',
]

export const favicon = buildIcon(drawing, { '#': 0x1d4ed8ff, o: 0xffffffff }).toString('base64')
