import { availableParallelism } from 'node:os'
import { checkAims } from './aims.ts'
import { installPeers } from './install-peers.ts'
import { writeReport } from './markdown-report.ts'
import { startLoadProcess } from '../load/measure.ts'
import { measureAll } from './measure-all.ts'
import type { Options, PeerName } from './options.ts'
import type { Target } from '../load/scenarios.ts'
import { startLatchkeyWorld } from '../load/latchkey-world.ts'
import { startBetterAuth } from './targets/start-better-auth.ts'
import { startDjango } from './targets/start-django.ts'
import { startFloors } from '../load/start-floors.ts'
import { startBundles, startLocalMode } from '../load/start-latchkey.ts'
import { startOpenAuth } from './targets/start-openauth.ts'
import { startJackson } from './targets/start-saml-jackson.ts'
import { writeIntoDocs } from './write-table.ts'

const startPeer: Readonly<Record<PeerName, () => Promise<Target>>> = {
  django: startDjango,
  'better-auth': startBetterAuth,
  openauth: startOpenAuth,
  'saml-jackson': startJackson,
}

/** Measures Latchkey beside other services, and prints the result as Markdown. */
export const comparePeers = async (options: Options): Promise<void> => {
  const versions = installPeers(options.peers)
  const world = await startLatchkeyWorld()
  const load = startLoadProcess()
  const targets: Target[] = []
  try {
    targets.push(await startBundles(world), await startLocalMode(world))
    for (const [name, installation] of versions)
      if ('version' in installation) targets.push(await startPeer[name]())
    targets.push(await startFloors(world))
    const measured = await measureAll(load, targets, options)
    const find = (key: string, target?: string) =>
      measured.find((row) => row.key === key && row.target === (target ?? row.target))?.figures
    const aims = checkAims(find, availableParallelism(), options.rows)
    const markdown = writeReport(measured, aims, versions, options)
    process.stdout.write(`${markdown}\n`)
    if (options.writes) writeIntoDocs(markdown)
  } finally {
    load.close()
    for (const { close } of targets) await close()
    await world.close()
  }
}
