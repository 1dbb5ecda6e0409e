import { App } from 'aws-cdk-lib'
import { ServicePipeline } from './pipeline.ts'

const region = 'eu-central-1'

new ServicePipeline(new App(), 'LatchkeyPipeline', {
  env: { account: '111122223333', region },
  repository: 'example/latchkey-deployment',
  connectionArn: `arn:aws:codeconnections:${region}:111122223333:connection/example`,
  test: {
    env: { account: '444455556666', region },
    service: { publicUrl: 'https://auth.test.example.com', removalPolicy: 'destroy' },
  },
  prod: {
    env: { account: '777788889999', region },
    service: {
      publicUrl: 'https://auth.example.com',
      mailFrom: 'Example <no-reply@example.com>',
      alarmEmail: 'ops@example.com',
      backup: true,
    },
  },
})
