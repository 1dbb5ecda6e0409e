import { type Facts, resolve } from '../infra/intrinsics.ts'
import type { Template } from '../infra/synthesis.ts'
import type { AwsCall } from './authorizer.ts'

/** The calls that Lambda makes with the role of each function: for its log, and for its traces if it has any. */
export const listPlatformCalls = (
  template: Template,
  facts: Facts,
  functionId: string,
): readonly AwsCall[] => {
  const { LoggingConfig, TracingConfig } = template.Resources[functionId]?.Properties ?? {}
  const logGroup = facts[`${resolve(LoggingConfig.LogGroup, facts)}.Arn`] ?? ''
  const ofLog = ['CreateLogStream', 'PutLogEvents'].map((name) => ({
    functionId,
    action: `logs:${name}`,
    resource: logGroup,
  }))
  const ofTraces = ['PutTelemetryRecords', 'PutTraceSegments'].map((name) => ({
    functionId,
    action: `xray:${name}`,
    resource: '*',
  }))
  return [...ofLog, ...(TracingConfig?.Mode === 'Active' ? ofTraces : [])]
}
