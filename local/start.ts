import module from 'node:module'
import { fileURLToPath } from 'node:url'

/*
 * The program that `npm start` runs. It keeps compiled code for later starts, next to the installed packages and not in the
 * folder for temporary files, where other users of the machine could place code. Node.js 20 cannot do this.
 */
const compiledFolder = new URL('../node_modules/.cache/latchkey', import.meta.url)
module.enableCompileCache?.(fileURLToPath(compiledFolder))
await import('./run-local-mode.ts')
