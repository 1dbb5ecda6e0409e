import { CommandFailure } from '../../local/command-failure.ts'
import { type Help, readSingleCommand } from '../program.ts'
import { stackNamePattern } from '../verify/command.ts'

export type LeftoversCommand =
  | Help
  | {
      readonly name: 'leftovers'
      readonly stack: string
      readonly removes: boolean
    }

export const leftovers = {
  argument: 'STACK',
  text: `Lists what remains of a stack that was deleted or changed.

STACK is the main stack of the service, such as LatchkeyProd. The command lists KMS keys, backup vaults, log groups, web ACLs, tables, buckets and secrets of one region that have the tag of the stack and that no stack has now, and what they cost. It finds vaults and tables also by the key that encrypts them.

A service with a backup region or a front door has resources in that region, too. Run the command there as well. The front door is in us-east-1.`,
  options: {
    remove: {
      value: 'STACK',
      text: 'removes what is safe to remove: empty backup vaults and log groups, web ACLs without users, and keys, which KMS deletes after 30 days. Repeat the name of the stack. Tables, buckets, secrets, and vaults and logs with content always remain, and so do the keys while one of these exists or anything in the region uses one of them',
    },
  },
  environment: { AWS_REGION: 'the region. It needs AWS credentials in the environment, too' },
  exitCodes: '0 listed or removed, 1 AWS refused to remove some, 2 failed, 130 interrupted',
} as const

/** @throws CommandFailure with one sentence about an invalid argument. */
export const readLeftoversArguments = (args: readonly string[]): LeftoversCommand => {
  const command = readSingleCommand('leftovers', leftovers, args)
  if (command.name === 'help') return command
  const { argument: stack, values } = command
  if (!stackNamePattern.test(stack))
    throw new CommandFailure('STACK must be the name of a CloudFormation stack.')
  if (values.remove !== undefined && values.remove !== stack)
    throw new CommandFailure('--remove must repeat the name of the stack. Nothing was removed.')
  return { name: 'leftovers', stack, removes: values.remove !== undefined }
}
