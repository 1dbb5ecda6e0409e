import { AuthService, Group, SignUpPolicy } from '@latchkey/construct'
import { App, CfnOutput, Stack } from 'aws-cdk-lib'
import { ProductHooks } from './product-hooks.ts'

const stack = new Stack(new App(), 'CustomerRoles')
const { hooks, customers } = new ProductHooks(stack, 'Hooks')
const auth = new AuthService(stack, 'Auth', { hooks })
new Group(stack, 'Group', { auth, key: 'customers', name: 'Customers', permissions: ['films:view'] })
new SignUpPolicy(stack, 'SignUp', { auth, mode: 'open' })
new CfnOutput(stack, 'CustomersTable', { value: customers.tableName })
