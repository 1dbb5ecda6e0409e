import { Stack } from 'aws-cdk-lib'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Key } from 'aws-cdk-lib/aws-kms'
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import type { Construct } from 'constructs'
import type { AuthServiceProps } from '../settings/auth-service-props.ts'

/** Returns the topic that receives alarms: a given one, or one that is created. Undefined if there is none. */
export const findAlarmTopic = (
  scope: Construct,
  key: Key | undefined,
  {
    alarmTopic,
    alarmTopicArn,
    alarmEmail,
  }: Pick<AuthServiceProps, 'alarmTopic' | 'alarmTopicArn' | 'alarmEmail'>,
): ITopic | undefined => {
  if (alarmTopic) return alarmTopic
  if (alarmTopicArn) return Topic.fromTopicArn(scope, 'AlarmTopic', alarmTopicArn)
  return alarmEmail ? createAlarmTopic(scope, key, alarmEmail) : undefined
}

/** Creates a topic that sends alarms to an email address after its owner confirms the subscription. With a key, it is encrypted. */
const createAlarmTopic = (scope: Construct, key: Key | undefined, email: string): Topic => {
  const topic = new Topic(scope, 'Alarms', { ...(key ? { masterKey: key } : {}), enforceSSL: true })
  topic.addSubscription(new EmailSubscription(email))
  const allowAlarms = (actions: string[], resource: string): PolicyStatement =>
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions,
      resources: [resource],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    })
  // A custom policy replaces the default one, which lets the account publish.
  topic.addToResourcePolicy(allowAlarms(['sns:Publish'], topic.topicArn))
  key?.addToResourcePolicy(allowAlarms(['kms:Decrypt', 'kms:GenerateDataKey'], '*'))
  return topic
}
