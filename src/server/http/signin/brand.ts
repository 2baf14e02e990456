import { defined } from '../../../base/defined.ts';
import type { Branding, RegisteredClient } from '../../../protocol/clients/client.ts';
import { brandSheet } from '../brand-css.ts';
import { httpUrl } from '../reference.ts';

/** The logo of a page, and the stylesheet with its color; both absent if none is configured. */
export interface PageBrand {
  readonly logo?: string | undefined;
  readonly sheet?: string | undefined;
}

/** The look of a page without an application. */
export function sharedBrand({ logo, color }: Branding): PageBrand {
  return { logo, sheet: color && brandSheet(color) };
}

/**
 * The logo of the consent screen and of the page of a device: that of the client's `branding`, else its `logo_uri`, which is to be displayed during
 * approval (OIDC Dynamic Client Registration §2), else that of the sandbox.
 */
export function approvedLogo(
  { branding, logo_uri }: Pick<RegisteredClient, 'branding' | 'logo_uri'>,
  { logo }: PageBrand,
): string | undefined {
  return branding?.logo ?? (logo_uri === undefined ? logo : (httpUrl(logo_uri) ?? logo));
}

/** A client as its users see it: its own branding, then that of the sandbox, then the registered name. */
export function branded<Client extends Pick<RegisteredClient, 'branding' | 'client_id' | 'client_name'>>(
  client: Client,
  shared: Branding,
): { readonly client: Client; readonly brand: PageBrand } {
  const { name, logo = shared.logo, color = shared.color } = client.branding ?? {};
  const registered = client.client_name === client.client_id ? shared.name : undefined;
  const client_name = name ?? registered ?? client.client_name;
  return { client: { ...client, client_name }, brand: sharedBrand(defined({ logo, color })) };
}
