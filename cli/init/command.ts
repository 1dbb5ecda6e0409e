import { type Help, readSingleCommand } from '../program.ts'

export type InitCommand =
  | Help
  | { readonly name: 'init'; readonly folder: string; readonly packages: string | undefined }

export const init = {
  argument: '[FOLDER]',
  text: `Writes an app of the AWS CDK with Latchkey and a product that signs in.

FOLDER is a folder that does not exist or is empty, such as my-product. Without it, that is the current folder. The README.md in it has the next commands.`,
  options: {
    packages: {
      value: 'FOLDER',
      text: 'a folder with packages that npm pack wrote, instead of those of the registry',
    },
  },
  exitCodes: '0 written, 2 nothing was written',
} as const

/** @throws CommandFailure with one sentence about an invalid argument. */
export const readInitArguments = (args: readonly string[]): InitCommand => {
  const command = readSingleCommand('init', init, args)
  if (command.name === 'help') return command
  return { name: 'init', folder: command.argument ?? '.', packages: command.values.packages }
}
