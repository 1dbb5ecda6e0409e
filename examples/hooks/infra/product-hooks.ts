import type { HooksProps } from '@latchkey/construct'
import { Duration } from 'aws-cdk-lib'
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb'
import { Runtime } from 'aws-cdk-lib/aws-lambda'
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs'
import { Construct } from 'constructs'

/** The functions that answer the hooks, and the table of customers that they read. */
export class ProductHooks extends Construct {
  /** What `AuthService` asks. */
  readonly hooks: HooksProps
  readonly customers: TableV2

  constructor(scope: Construct, id: string) {
    super(scope, id)
    this.customers = new TableV2(this, 'Customers', {
      partitionKey: { name: 'email', type: AttributeType.STRING },
      billing: Billing.onDemand(),
    })
    this.hooks = {
      beforeSignUp: { function: this.#addFunction('before-sign-up'), groups: ['Customers'] },
      afterSignIn: { function: this.#addFunction('after-sign-in') },
      beforeToken: {
        function: this.#addFunction('before-token'),
        claims: ['role', 'plan'],
        // A token without a role would be read as that of a stranger.
        onFailure: 'refuse',
      },
    }
  }

  /** Adds a function that may read single customers. Returns the ARN of its alias, so that a deployment can go back. */
  #addFunction(name: string): string {
    const answer = new NodejsFunction(this, name, {
      entry: new URL(`../src/${name}.ts`, import.meta.url).pathname,
      runtime: Runtime.NODEJS_24_X,
      memorySize: 1024,
      timeout: Duration.seconds(3),
      environment: { CUSTOMERS_TABLE: this.customers.tableName },
      bundling: { format: OutputFormat.ESM, mainFields: ['module', 'main'], minify: true },
    })
    this.customers.grant(answer, 'dynamodb:GetItem')
    return answer.addAlias('live').functionArn
  }
}
