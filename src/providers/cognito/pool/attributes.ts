import type { AnyMembers } from '../../../base/text/record.ts';
import { shorten } from '../../../protocol/parameters.ts';
import { membersIn, type Shape } from '../../management/members.ts';
import { isAttribute } from '../attributes.ts';
import { refused } from './errors.ts';
import type { PoolUser } from './users.ts';

export interface Attribute {
  readonly Name: string;
  readonly Value: string;
}

const shape = { Name: 'text', Value: 'text' } as const satisfies Shape;
const longest = 2048;
const flags = ['email_verified', 'phone_number_verified'];

/**
 * The claims of attributes that were sent. A verified address is `true`, not text.
 * @throws InvalidParameterException for a name that is no attribute
 */
export function claimsOf(sent: readonly AnyMembers[] = []): AnyMembers {
  return Object.fromEntries(
    sent.map(each => {
      const { Name = '', Value = '' } = membersIn(each, shape);
      if (!isAttribute(Name)) {
        const message = `Attributes did not conform to the schema: Type for attribute {${shorten(Name, 60)}} could not be determined`;
        throw refused('InvalidParameterException', message, shorten(Name, 60));
      }
      if (Value.length > longest) {
        const message = `Attributes did not conform to the schema: ${Name}: String must be no longer than ${longest} characters`;
        throw refused('InvalidParameterException', message);
      }
      return [Name, flags.includes(Name) ? Value.toLowerCase() === 'true' : claimValue(Name, Value)];
    }),
  );
}

/** The address of a user is an object in claims, and a time a number. */
function claimValue(name: string, value: string): unknown {
  if (name === 'address') return { formatted: value };
  return name === 'updated_at' && /^\d{1,12}$/.test(value) ? Number(value) : value;
}

/** The attributes of a user as text, `sub` first. */
export function attributesOf({ sub, claims }: Pick<PoolUser, 'sub' | 'claims'>): readonly Attribute[] {
  const named = Object.entries(claims).filter(([name]) => isAttribute(name));
  return [
    { Name: 'sub', Value: sub },
    ...named.map(([Name, value]) => ({ Name, Value: typeof value === 'string' ? value : JSON.stringify(value) })),
  ];
}

interface Delivery {
  readonly AttributeName: string;
  readonly DeliveryMedium: string;
  readonly Destination: string;
}

/** Where a code would be sent; undefined for a user without an address. */
export function deliveryOf({ claims: { email, phone_number } }: Pick<PoolUser, 'claims'>): Delivery | undefined {
  if (typeof email === 'string' && email !== '') {
    const Destination = email.replace(/^(.)[^@]*(@.)?.*$/, (_, first, second = '') => `${first}***${second}***`);
    return { AttributeName: 'email', DeliveryMedium: 'EMAIL', Destination };
  }
  if (typeof phone_number !== 'string' || phone_number === '') return undefined;
  return { AttributeName: 'phone_number', DeliveryMedium: 'SMS', Destination: `+*******${phone_number.slice(-4)}` };
}
