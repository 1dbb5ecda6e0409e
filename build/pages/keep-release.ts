import packageJson from '../../package.json' with { type: 'json' }
import { buildApp } from './build-app.ts'
import { keepRelease } from './former-releases.ts'
import { readCatalogues } from './read-catalogues.ts'

/* A part of `npm version`. */
keepRelease(packageJson.version, buildApp(await readCatalogues()).assets)
