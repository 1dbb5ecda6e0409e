import { readFormerReleases } from '../../../build/pages/former-releases.ts'
import { version } from '../../kernel/util/version.prebuilt.ts'

/** The files of the pages of the last two releases, as JSON in Brotli and base64. */
export const formerReleases = readFormerReleases(version)
