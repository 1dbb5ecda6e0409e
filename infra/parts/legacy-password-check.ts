import { Token } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { readLastDay } from '../../lib/settings/legacy-password-check.ts'
import { serviceSettings } from '../../lib/settings/service-settings.ts'
import { variableOf } from '../../lib/settings/setting.ts'
import type { AuthServiceProps } from '../settings/auth-service-props.ts'
import type { FunctionProps } from './functions.ts'

type Props = Pick<AuthServiceProps, 'legacyPasswordCheck' | 'legacyPasswordCheckUntil'>

/** What the function that checks passwords at sign-in needs to ask the old system. Nothing without the setting. */
export const askLegacySystem = <Given extends Pick<FunctionProps, 'environment'>>(
  props: Given,
  { legacyPasswordCheck, legacyPasswordCheckUntil }: Props,
): Given & Pick<FunctionProps, 'statements'> => {
  if (!legacyPasswordCheck || !legacyPasswordCheckUntil) return props
  const nameOf = (name: keyof Props) => variableOf(name, serviceSettings[name])
  return {
    ...props,
    environment: {
      ...props.environment,
      [nameOf('legacyPasswordCheck')]: legacyPasswordCheck,
      [nameOf('legacyPasswordCheckUntil')]: legacyPasswordCheckUntil,
    },
    statements: [
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [legacyPasswordCheck] }),
    ],
  }
}

/** Whether the last day is over, so that the settings can be removed. */
export const isLegacyCheckOver = ({ legacyPasswordCheckUntil: lastDay }: Props): boolean => {
  const endsAt = lastDay && !Token.isUnresolved(lastDay) ? readLastDay(lastDay) : undefined
  return typeof endsAt === 'number' && Date.now() >= endsAt
}
