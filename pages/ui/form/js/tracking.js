// Keys that trackers and Streamlit add to an address. pages/ui/form/links.py has the same.

const NAMES = [
  'embed', 'embed_options', 'follow',
  'gclid', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'gad_source', 'srsltid', '_ga', '_gl',
  'fbclid', 'igsh', 'igshid', 'twclid', 'ttclid', 'li_fat_id', 'msclkid', 'yclid', 'ysclid', '_openstat',
  'epik', 'scid', 'rb_clickid', 'wickedid', 'mkt_tok', 'vero_id', 'vero_conv', 'oly_enc_id', 'oly_anon_id',
  'hsctatracking', 's_cid', 's_kwcid', 'sc_campaign', 'sc_channel', 'cmpid', 'ncid', 'trk', 'trkcampaign', '_ke',
  '__s', 'si', 'spm', 'ref', 'ref_src', 'ref_url', 'referrer',
];
const PREFIXES = [
  'utm_', 'mc_', '_hs', 'hsa_', 'pk_', 'piwik_', 'matomo_', 'mtm_', 'ga_', 'fb_', 'wt_', 'stm_', 'itm_',
];

export function isTrackingKey(key) {
  const name = key.toLowerCase();
  return NAMES.includes(name) || PREFIXES.some(prefix => name.startsWith(prefix));
}
