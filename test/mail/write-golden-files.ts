import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { goldenFolder, renderGoldenFiles } from './golden-files.ts'

rmSync(goldenFolder, { recursive: true, force: true })
mkdirSync(goldenFolder)
for (const [name, content] of renderGoldenFiles()) writeFileSync(new URL(name, goldenFolder), content)
