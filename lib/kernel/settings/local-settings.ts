import { text, whole } from './schemas.ts'
import { Problem, setting } from './setting.ts'

/* The settings of local mode that functions do not read. `service-settings.ts` has the others, and says what follows from them. */

const passwordLength = { min: 12, max: 1024 }

export const localSettings = {
  /** The port of the service. The page with sent emails is on the next port. */
  port: setting({ schema: whole(1, 65_534), default: 3000, on: ['local'] }),

  /** The folder for data. `:memory:` keeps data only while the process runs. */
  dataDir: setting({ schema: text, default: '.local', on: ['local'] }),

  /**
   * The password of the user `admin` on the first start: 12 to 1,024 characters, and not easy to guess. Without it, a
   * password is generated and printed.
   */
  adminPassword: setting({
    schema: text,
    on: ['local'],
    read: (given) => {
      const { length } = [...given]
      return length < passwordLength.min || length > passwordLength.max
        ? new Problem(`must have ${passwordLength.min} to ${passwordLength.max} characters`)
        : given
    },
  }),
}
