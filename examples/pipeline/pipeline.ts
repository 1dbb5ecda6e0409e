import { AuthService, type AuthServiceProps } from '@latchkey/construct'
import { type Environment, Stack, type StackProps, Stage } from 'aws-cdk-lib'
import {
  CodePipeline,
  CodePipelineSource,
  ConfirmPermissionsBroadening,
  ShellStep,
} from 'aws-cdk-lib/pipelines'
import type { Construct } from 'constructs'

export interface StageSettings {
  readonly env: Environment
  readonly service: AuthServiceProps
}

export interface PipelineProps extends StackProps {
  /** The repository of your app, as `owner/name`, and the connection of CodePipeline to it. */
  readonly repository: string
  readonly connectionArn: string
  readonly test: StageSettings
  readonly prod: StageSettings
}

/** Deploys each commit to the stage `Test`, and then to `Prod`. A person approves commits that widen permissions. */
export class ServicePipeline extends Stack {
  constructor(scope: Construct, id: string, props: PipelineProps) {
    super(scope, id, props)
    const pipeline = new CodePipeline(this, 'Pipeline', {
      synth: new ShellStep('Synth', {
        input: CodePipelineSource.connection(props.repository, 'main', {
          connectionArn: props.connectionArn,
        }),
        commands: ['npm ci', 'npx cdk synth'],
      }),
      crossAccountKeys: true,
    })
    pipeline.addStage(new ServiceStage(this, 'Test', props.test))
    const prod = new ServiceStage(this, 'Prod', props.prod)
    // `cdk deploy` would ask in the terminal, which a pipeline does not have.
    pipeline.addStage(prod, {
      pre: [new ConfirmPermissionsBroadening('ApprovePermissions', { stage: prod })],
    })
  }
}

class ServiceStage extends Stage {
  constructor(scope: Construct, id: string, { env, service }: StageSettings) {
    super(scope, id, { env })
    const stack = new Stack(this, 'Latchkey', { terminationProtection: id === 'Prod' })
    new AuthService(stack, 'Auth', service)
  }
}
