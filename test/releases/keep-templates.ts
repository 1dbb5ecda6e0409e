import packageJson from '../../package.json' with { type: 'json' }
import { keepTemplates } from './template-changes.ts'

/* A part of `npm version`. */
keepTemplates(packageJson.version)
