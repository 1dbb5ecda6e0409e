/** The value of a secret that the stack generates. */
export const generatedSecretOf = (id: string): string => `generated-${id}-`.padEnd(43, '0')

/** Replaces references to secrets in texts, as CloudFormation does. */
export const resolveSecrets = (texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      text.replaceAll(/\{\{resolve:secretsmanager:([^:}]+):SecretString:::\}\}/g, (_, id: string) =>
        generatedSecretOf(id),
      ),
    ]),
  )
