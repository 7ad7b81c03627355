// The owner of a domain: a company, or a site which serves many companies and people under it.
// docs/decisions/0014-domains-that-many-share.md says how the lists were made.
import { createRequire } from 'node:module';
import { domainToASCII } from 'node:url';
import { parse } from 'tldts';
import type { DomainOwner, SharedSite } from '../model/normalise.js';
import { wordSet, wordsOf } from '../model/text/words.js';
import { registrableDomain } from './registrable-domain.js';
import { remembering } from './remember.js';

/** Sites on which people and companies have pages, by their registrable domains. */
const SOCIAL_NETWORKS = wordSet(`
  linkedin.com lnkd.in facebook.com fb.com fb.me fb.watch m.me messenger.com instagram.com instagr.am
  threads.net threads.com twitter.com x.com tiktok.com douyin.com youtube.com youtu.be vimeo.com twitch.tv
  pinterest.com pinterest.at pinterest.ca pinterest.ch pinterest.co.uk pinterest.com.au pinterest.com.mx
  pinterest.de pinterest.es pinterest.fr pinterest.it pinterest.jp pinterest.pt pin.it
  reddit.com snapchat.com whatsapp.com wa.me telegram.me telegram.org t.me discord.com discord.gg line.me
  vk.com vk.ru vkontakte.ru ok.ru odnoklassniki.ru weibo.com weibo.cn xiaohongshu.com zhihu.com quora.com
  xing.com viadeo.com bsky.app mastodon.social mastodon.online truthsocial.com myspace.com flickr.com
  behance.net dribbble.com soundcloud.com mixcloud.com about.me linktr.ee linkin.bio beacons.ai bio.site`);

/**
 * Sites that give each customer a domain below theirs, as `acme.tumblr.com`, and are not a public suffix. tldts knows
 * those on the Public Suffix List, as `acme.wixsite.com`.
 */
const SITES_OF_SUBDOMAINS: ReadonlyMap<string, SharedSite> = new Map([
  ...wordsOf('tumblr.com medium.com substack.com livejournal.com bandcamp.com bsky.social').map(
    (domain) => [domain, 'social network'] as const,
  ),
  ...wordsOf(`
    wordpress.com squarespace.com weebly.com weeblysite.com jimdo.com jimdosite.com jimdofree.com webnode.com
    webnode.page webnode.fr webnode.es webnode.it webnode.at webnode.cz webnode.nl godaddysites.com business.site
    canva.site strikingly.com mystrikingly.com site123.me ueniweb.com hubspotpagebuilder.com zohosites.com
    over-blog.com typepad.com ucoz.com ucoz.ru ucoz.net webs.com hpage.com beepworld.de e-monsite.com wifeo.com
    mozello.com tripod.com angelfire.com tistory.com exblog.jp bigcartel.com company.site multiscreensite.com
    ionos.space wpengine.com wpcomstaging.com`).map((domain) => [domain, 'site builder'] as const),
]);

/** Single hosts below the domain of a company that serve many in the same way. */
const SHARED_HOSTS: ReadonlyMap<string, SharedSite> = new Map([
  ['sites.google.com', 'site builder'],
  ['plus.google.com', 'social network'],
]);

/** Directories, registers and short links, whose pages are about companies. */
const DIRECTORIES = wordSet(`
  bit.ly goo.gl g.page tinyurl.com ow.ly is.gd rebrand.ly buff.ly cutt.ly t.co crunchbase.com zoominfo.com dnb.com
  glassdoor.com indeed.com kompass.com trustpilot.com tripadvisor.com mapquest.com bbb.org manta.com yellowpages.com
  foursquare.com europages.com opencorporates.com bloomberg.com apollo.io rocketreach.co gelbeseiten.de northdata.de
  firmenabc.at pagesjaunes.fr societe.com pappers.fr paginasamarillas.es paginegialle.it goldenpages.ie wlw.de
  wikipedia.org play.google.com apps.apple.com`);

/** Mail providers that email-providers does not have. */
const FURTHER_MAIL_PROVIDERS = wordsOf(`
  fastmail.com tutanota.com tutanota.de tuta.com tuta.io duck.com posteo.de posteo.net mailfence.com startmail.com
  gmx.ch hispeed.ch aon.at chello.at ziggo.nl casema.nl quicknet.nl mail.dk online.no otenet.gr tut.by mynet.com
  sohu.com 139.com`);

/** A domain of that list that is not a mail provider: RFC 2606 keeps it for examples. */
const NO_MAIL_PROVIDER = 'example.com';

/** Labels by which a site names a part of itself, and not a customer. */
const OWN_LABELS = wordSet('www m mobile app');

let mailProviders: ReadonlySet<string> | undefined;

/** The owner of a host name in ASCII, which may end in a full stop. */
const ownerOfHost: DomainOwner = remembering<ReturnType<DomainOwner>>((host) => {
  const parsed = parse(host, { allowPrivateDomains: true, validateHostname: true });
  const { hostname: name, domain } = parsed;
  // A private public suffix is a site whose customers each have a domain of their own below it.
  if (name === null || domain === null)
    return parsed.isPrivate === true ? shared('site builder') : undefined;
  const site =
    SHARED_HOSTS.get(name) ?? (SOCIAL_NETWORKS.has(domain) ? 'social network' : undefined);
  if (site !== undefined) return shared(site);
  const siteOfSubdomains = SITES_OF_SUBDOMAINS.get(domain);
  if (siteOfSubdomains !== undefined) {
    const label =
      name
        .slice(0, -domain.length - 1)
        .split('.')
        .at(-1) ?? '';
    return label === '' || OWN_LABELS.has(label)
      ? shared(siteOfSubdomains)
      : { kind: 'company', domain: `${label}.${domain}` };
  }
  mailProviders ??= readMailProviders();
  return mailProviders.has(domain) ? shared('mail provider') : { kind: 'company', domain };
});

/** A page of a directory, a search or a short link is of somebody else; the domain itself is of its company. */
export const domainOwner: DomainOwner = (host, path = '/') => {
  const owner = ownerOfHost(host);
  if (path === '/' || owner?.kind !== 'company') return owner;
  const { domain } = owner;
  const isSearch = /^(?:google|bing|duckduckgo|yahoo|ecosia)\./.test(domain);
  const isForOthers = isSearch
    ? /^\/(?:url|search|maps|imgres|ck)(?:\/|$)/.test(path)
    : DIRECTORIES.has(domain) || domain.startsWith('yelp.');
  return isForOthers ? shared('directory') : owner;
};

/** Both rules about domains. */
export const DOMAIN_RULES = { registrableDomain, domainOwner };

/** Reads the list when the first company's domain comes: that takes some milliseconds. */
function readMailProviders(): ReadonlySet<string> {
  const require = createRequire(import.meta.url);
  const known = require('email-providers/all.json') as readonly string[];
  const domains = new Set([...known.map(domainToASCII), ...FURTHER_MAIL_PROVIDERS]);
  domains.delete(NO_MAIL_PROVIDER);
  return domains;
}

function shared(site: SharedSite): ReturnType<DomainOwner> {
  return { kind: 'shared', site };
}
