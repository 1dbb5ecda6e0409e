import { Token } from 'aws-cdk-lib'
import { readLastDay } from '../../lib/kernel/settings/last-day.ts'

/** Whether a setting ended, so that it can be removed or renewed. A day that only the deployment knows is not over. */
export const isLastDayOver = (lastDay: string | undefined): boolean => {
  const endsAt = lastDay && !Token.isUnresolved(lastDay) ? readLastDay(lastDay) : undefined
  return typeof endsAt === 'number' && Date.now() >= endsAt
}
