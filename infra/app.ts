import { fileURLToPath } from 'node:url'
import { App, Stack, Validations } from 'aws-cdk-lib'
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api'
import { AwsSolutionsChecks } from 'cdk-nag'
import { omitUndefined } from '../lib/kernel/util/object-fields.ts'
import { stackTag } from '../lib/kernel/util/stack-tag.ts'
import { AuthService } from './auth-service.ts'
import { findPropProblems, findRegion, throwProblems } from './settings/check-props.ts'
import { readSettings } from './settings/read-settings.ts'

export interface AppOptions {
  /** The folder of the cloud assembly; chosen by the CDK if omitted. */
  readonly outdir?: string
  readonly context?: Readonly<Record<string, unknown>>
  /** A folder that `node build/bundle/bundle.ts` wrote; the functions are bundled during synthesis if omitted. */
  readonly bundleDir?: string
  /** The folder of the files of stages, `config` by default. */
  readonly configDir?: string
}

const ownConfigDir = fileURLToPath(new URL('../config', import.meta.url))

/**
 * The app with the stack of the service. The file
 * `config/<stage>.json` holds the settings, if the CDK context names a stage (`cdk deploy -c stage=prod`), and the context
 * holds others. `lib/kernel/settings` lists them.
 *
 * @throws Error that lists all invalid settings.
 */
export const createApp = ({ outdir, context, bundleDir, configDir = ownConfigDir }: AppOptions = {}): App => {
  const app = new App({
    ...(outdir ? { outdir } : {}),
    context: { ...CURRENTLY_RECOMMENDED_FLAGS, ...context },
    analyticsReporting: false,
  })
  const settings = readSettings(app.node.getAllContext(), configDir)
  const { stackName, region, terminationProtection, props, problems } = settings
  throwProblems([...problems, ...findPropProblems(props, findRegion(region))])
  const stack = new Stack(app, stackName, {
    description: 'Latchkey: authentication and access tokens',
    ...(region ? { env: { region } } : {}),
    terminationProtection,
    tags: { [stackTag]: stackName },
    crossRegionReferences: Boolean(props.frontDoor),
  })
  new AuthService(stack, 'Auth', { ...props, ...omitUndefined({ bundleDir }) })
  const rules = new AwsSolutionsChecks(app, { verbose: true, writeSuppressionsToCloudFormation: true })
  Validations.of(app).addPlugins(rules)
  return app
}

if (import.meta.main) createApp().synth()
