import type { Config } from '../../kernel/settings/config.ts'

/** The page of a connection in the console. */
export const toConsoleAddress = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { kind, id }: { readonly kind: string; readonly id: number },
): string => `${publicUrl}/admin#/connections/${kind}/${id}`
