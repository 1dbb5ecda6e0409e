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

  /**
   * The configuration file that is applied when the service starts and each time it is saved: see `docs/as-code.md`. Without it, that
   * is `latchkey.config.ts` in the folder where the service starts, or the same with `mts`, `js` or `mjs`. `none` applies none.
   */
  configFile: setting({ schema: text, on: ['local'] }),

  /**
   * Where the outputs of the configuration file are written: client IDs, secrets of new clients, and what its seed made. Without it, that is
   * `outputs.json` in the folder for data. Data in memory has none, and new secrets are printed.
   */
  configOutputs: setting({ schema: text, on: ['local'] }),
}
