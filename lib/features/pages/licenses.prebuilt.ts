import { formatLicenses, listComponents } from '../../../build/package/components.ts'
import { app } from './app-build.prebuilt.ts'

/** The licenses of the packages whose code is in the scripts of the pages. */
export const licenses = formatLicenses(listComponents(app.inputs))
