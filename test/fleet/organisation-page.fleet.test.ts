import { beforeAll, describe, expect, test } from 'vitest';
import { faults } from '../browser/axe-faults.ts';
import { forgive, openPage } from '../server/dashboard-page.ts';
import { builtDashboard } from '../server/dashboard-server.ts';
import { lookup } from '../server/lookup.ts';
import { ask } from '../server/request.ts';
import { type OrganisationServer, organisationServer } from './organisation-server.ts';

describe('the pages of an organisation', () => {
  let server: OrganisationServer;
  beforeAll(async () => {
    const dashboard = await builtDashboard();
    server = await organisationServer({ UNRUT_TRUSTED_PROXIES: '127.0.0.1' }, { dashboard });
    const store = server.organisations.of(1);
    await store.change(
      { groups: { leads: { role: 'admin' }, readers: { project: 'default', role: 'viewer' } } },
      'test',
    );
  }, 300_000);

  /** Opens a page as a person whom a proxy has authenticated. */
  const openAs = (group: string, path: string) =>
    openPage(server.url + path, {
      extraHTTPHeaders: { 'x-forwarded-user': `one-of-${group}`, 'x-forwarded-groups': group },
    });

  test('let an admin add a project, a key and a role, and show what was done', async () => {
    const page = await openAs('leads', '/organisation');
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    expect(await faults(page)).toEqual([]);
    await page.locator('input[name=name]').fill('shop');
    await page.getByRole('button', { name: 'Add project' }).click();
    await page.getByRole('rowheader', { name: 'shop' }).waitFor();
    await page.locator('input[name=name]').fill('shop');
    await page.getByRole('button', { name: 'Add project' }).click();
    await page.getByRole('alert').getByText('Expected a new name').waitFor();

    // The browser logs every refused request.
    forgive(/409/);
    await page.reload();
    const parts = page.getByRole('navigation', { name: 'Parts of the organisation' });
    await parts.getByRole('link', { name: 'Keys' }).click();
    await page.locator('input[name=name]').fill('ci');
    await page.locator('select[name=project]').selectOption('shop');
    await page.getByRole('button', { name: 'Add key' }).click();
    const key = (await page.locator('.command code').textContent())!;
    expect(key).toMatch(/^unrut_[0-9a-f]{12}_[\w-]{43}$/);
    expect(await faults(page)).toEqual([]);
    const stored = (await server.organisations.of(1).keys()).find(
      ({ id }) => id === key.split('_')[1],
    );
    expect(stored).toMatchObject({ name: 'ci', scopes: ['ingest'] });
    await page.getByRole('button', { name: `Revoke key ${stored!.id}` }).click();
    await page.getByText('revoked').first().waitFor();

    await parts.getByRole('link', { name: 'People' }).click();
    await page.locator('input[name=person]').fill('ada');
    await page.locator('select[name=role]').selectOption('member');
    await page.getByRole('button', { name: 'Set role' }).click();
    await page.getByText('member in all projects').waitFor();
    expect(await faults(page)).toEqual([]);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Forget ada' }).click();
    await page.getByText('member in all projects').waitFor({ state: 'detached' });

    await parts.getByRole('link', { name: 'Audit' }).click();
    for (const deed of [
      'project added',
      'key added',
      'key revoked',
      'role set',
      'person forgotten',
    ])
      await page.getByRole('cell', { name: deed, exact: true }).first().waitFor();
    expect(await faults(page)).toEqual([]);
  });

  test('show a viewer the projects, and no button', async () => {
    const page = await openAs('readers', '/organisation');
    await page.getByRole('rowheader', { name: 'default' }).waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    expect(await page.getByRole('main').getByRole('link').allTextContents()).toEqual(['Projects']);
    expect(await faults(page)).toEqual([]);
  });

  test('show one project or all, as the header and the address say', async () => {
    const store = server.organisations.of(1);
    for (const name of ['lamps', 'cables']) {
      const { project } = (await store.addProject(name, {}, 'test'))!;
      const key = await server.addKey(1, { scopes: ['ingest'], project });
      const { status } = await ask(`${server.url}/v1/events`, {
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify([lookup(0, { session: `of-${name}`, at: Date.now() })]),
      });
      expect(status).toBe(200);
    }
    const page = await openAs('leads', '/?project=lamps');
    const session = (name: string) => page.getByRole('link', { name: `of-${name}` });
    await session('lamps').waitFor();
    expect(await session('cables').count()).toBe(0);
    expect(await faults(page)).toEqual([]);
    await session('lamps').click();
    await page.getByText('project lamps').waitFor();
    expect(new URL(page.url()).searchParams.get('project')).toBe('lamps');
    await page.getByLabel('Project').selectOption('cables');
    await session('cables').waitFor();
    await page.getByLabel('Project').selectOption('');
    await session('lamps').waitFor();
    expect(await session('cables').count()).toBe(1);
    expect(page.url()).not.toContain('project');
  });
});
