import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App, type StackProps } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { afterAll, expect, it } from 'vitest'
import type { AuthServiceProps } from '../../infra/settings/auth-service-props.ts'
import { shareBundles } from './shared-bundles.ts'
import { resourcesOf } from './synthesis.ts'

/* Synthesizes the pipeline of examples/pipeline, with the construct of the sources. */

interface StageSettings {
  readonly env: StackProps['env']
  readonly service: AuthServiceProps
}

interface Example {
  readonly ServicePipeline: new (
    scope: Construct,
    id: string,
    props: {
      readonly env: StackProps['env']
      readonly repository: string
      readonly connectionArn: string
      readonly test: StageSettings
      readonly prod: StageSettings
    },
  ) => Construct
}

const file = '../../examples/pipeline/pipeline.ts'
const { ServicePipeline }: Example = await import(file)
const { folder: bundleDir } = await shareBundles()
const outdir = mkdtempSync(join(tmpdir(), 'latchkey-pipeline-'))
afterAll(() => rmSync(outdir, { recursive: true }))

it('the example of a pipeline deploys two stages, and asks before it widens permissions in the second', () => {
  const app = new App({ outdir, analyticsReporting: false })
  const region = 'eu-central-1'
  const stage = (account: string): StageSettings => ({ env: { account, region }, service: { bundleDir } })
  new ServicePipeline(app, 'LatchkeyPipeline', {
    env: { account: '111122223333', region },
    repository: 'example/latchkey-deployment',
    connectionArn: `arn:aws:codeconnections:${region}:111122223333:connection/example`,
    test: stage('444455556666'),
    prod: stage('777788889999'),
  })
  const assembly = app.synth()
  const { template } = assembly.getStackByName('LatchkeyPipeline')
  const [[, pipeline] = []] = resourcesOf(template, 'AWS::CodePipeline::Pipeline')
  const stages: readonly { readonly Name: string; readonly Actions: readonly { readonly Name: string }[] }[] =
    pipeline?.Properties.Stages ?? []
  expect(stages.map(({ Name }) => Name)).toEqual([
    'Source',
    'Build',
    'UpdatePipeline',
    'Assets',
    'Test',
    'Prod',
  ])
  const actionsOf = (name: string) =>
    stages.find(({ Name }) => Name === name)?.Actions.map((action) => action.Name) ?? []
  expect(actionsOf('Test').join(' ')).not.toContain('ApprovePermissions')
  expect(actionsOf('Prod').join(' ')).toContain('ApprovePermissions')
  const protectedStacks = ['Test', 'Prod'].map(
    (name) =>
      assembly.getNestedAssembly(`assembly-LatchkeyPipeline-${name}`).stacks[0]?.terminationProtection,
  )
  expect(protectedStacks).toEqual([false, true])
})
