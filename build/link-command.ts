import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/*
 * Makes `npm exec --no -- latchkey` the command line of this clone, as in a project that installs the package. The installation and the
 * check of types run this.
 */

const bin = fileURLToPath(new URL('../node_modules/.bin/', import.meta.url))
const link = `${bin}latchkey`

mkdirSync(bin, { recursive: true })
rmSync(link, { force: true })
if (process.platform === 'win32') {
  // npx looks for the first file, and Windows runs the second.
  writeFileSync(link, '#!/bin/sh\nexec node "$(dirname "$0")/../../cli/latchkey.ts" "$@"\n')
  writeFileSync(`${link}.cmd`, '@node "%~dp0..\\..\\cli\\latchkey.ts" %*\r\n')
} else symlinkSync('../../cli/latchkey.ts', link)
