import { comparePeers } from './compare-peers.ts'
import { readOptions } from './options.ts'
import { profileLatchkey } from './profile-latchkey.ts'

const options = readOptions(process.argv.slice(2))
await (options.isProfile ? profileLatchkey(options) : comparePeers(options))
process.exit()
