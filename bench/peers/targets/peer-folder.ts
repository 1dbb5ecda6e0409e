import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a folder for the database of a peer, with the path of its file. */
export const createPeerFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-peer-'))
  return {
    database: join(folder, 'db.sqlite3'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
