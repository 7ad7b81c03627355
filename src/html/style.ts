// The one stylesheet of reports and pages: a light and a dark theme, a phone's width, and paper. Colours are named by
// their meaning; everything with such a colour also has a word or a sign. No page needs a style attribute.
import { createHash } from 'node:crypto';
import { html } from './markup.js';

const SHEET = html`
:root{color-scheme:light;
--page:#f5f6f8;--card:#fff;--sunk:#eef0f3;--ink:#1a1f26;--quiet:#56606c;--line:#d9dde3;--edge:#808995;
--link:#0a58b5;--on-main:#fff;
--good:#167544;--good-soft:#e0f4e8;--miss:#5b6776;--miss-soft:#eaedf1;--bad:#c02a32;--bad-soft:#fce8e8;
--wait:#1767c9;--wait-soft:#e4effc;--warn:#8f5f00;--warn-soft:#fbf0d3;--known:#7443c0;--known-soft:#f0e9fb;
--idle:#7f8894;--idle-soft:#eef0f3;--good-fill:#22935a;--miss-fill:#62759a;--bad-fill:#d63c45;--wait-fill:#3a7fe0;
--warn-fill:#b37b00;--known-fill:#8a5cd6;--idle-fill:#81878f}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;
--page:#0e1217;--card:#171c23;--sunk:#10151b;--ink:#e7eaee;--quiet:#a0abb8;--line:#2e3640;--edge:#77828f;
--link:#74b3ff;--on-main:#0b1118;
--good:#4cc283;--good-soft:#12301f;--miss:#98a4b3;--miss-soft:#252c35;--bad:#ff837c;--bad-soft:#401a1c;
--wait:#66adff;--wait-soft:#12294a;--warn:#e0ab35;--warn-soft:#35290b;--known:#bd95fa;--known-soft:#2b1f47;
--idle:#7f8a97;--idle-soft:#232a33;--good-fill:#3fae74;--miss-fill:#8496b8;--bad-fill:#ef6b65;--wait-fill:#5a9bf0;
--warn-fill:#d09c2c;--known-fill:#a884f0;--idle-fill:#7c8692}}
*{box-sizing:border-box}[hidden]{display:none!important}
html{font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
main,footer,.top{max-width:1180px;margin:0 auto;padding:16px 20px}
h1{font-size:1.6rem;line-height:1.2;margin:0 0 4px;letter-spacing:-.01em}
h2{font-size:1.2rem;line-height:1.3;margin:28px 0 10px}
h3{font-size:1rem;line-height:1.3;margin:0}
p{margin:0}p+p{margin-top:8px}
a{color:var(--link);text-underline-offset:.15em}
code,pre,kbd{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.9em}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:4px}
.quiet{color:var(--quiet)}.big{font-size:1.15rem}.n{text-align:right;white-space:nowrap}
.skip{position:absolute;left:-9999px}.skip:focus{left:8px;top:8px;background:var(--card);padding:8px;z-index:9}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.row{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center}.row>.row{margin-right:16px}.stack>*+*{margin-top:12px}.grow{flex:1 1 auto}label.row{flex-wrap:nowrap}label.row>input{flex:none}
.top{display:flex;flex-wrap:wrap;gap:4px 20px;align-items:center;min-height:3.25rem;padding-top:0;padding-bottom:0;
background:var(--card);box-shadow:0 0 0 100vmax var(--card);clip-path:inset(0 -100vmax)}
.top .brand{display:inline-flex;gap:8px;align-items:center;font-weight:650;color:var(--ink);text-decoration:none}
.brand svg{width:22px;height:22px}
.top nav{display:flex;flex-wrap:wrap;gap:0 16px;align-self:stretch}
.top nav a{display:flex;align-items:center;padding:6px 0 4px;text-decoration:none;border-bottom:2px solid transparent}
.top nav a[aria-current]{color:var(--ink);border-color:var(--link)}
.crumbs{color:var(--quiet);font-size:.9rem;margin-bottom:4px}
footer{color:var(--quiet);font-size:.87rem;padding-bottom:32px}

.cards{display:flex;flex-wrap:wrap;gap:14px}.cards>.card{flex:1 1 min(330px,100%)}.cards:not(:has(.chart))>.card{flex-basis:min(250px,100%)}.cards>.card.wide{flex-basis:100%}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:14px 16px;min-width:0;container-type:inline-size}
.card>.about{color:var(--quiet);font-size:.9rem;margin-top:2px}
.card>*+*,.card>.facts{margin-top:10px}
p+.scroll,div+p.row,h1+.scroll,h1+.notice,h1+.stack,h1+.row,h1+section,.cards+p,.scroll+p,.pager+p,.legend+p,.stack>*+.facts{margin-top:12px}
.figures{display:flex;flex-wrap:wrap;gap:14px}
.figure{flex:1 1 min(130px,45%);background:var(--card);border:1px solid var(--line);border-radius:10px;padding:12px 13px;min-width:0}
.figure.worded .value{font-size:1.05rem}.figure .label{color:var(--quiet);font-size:.87rem;display:block}
.figure .value{font-size:1.45rem;line-height:1.25;font-weight:620;letter-spacing:-.01em;display:block}
.figure .about{color:var(--quiet);font-size:.87rem;display:block}

.badge{display:inline-flex;gap:.4em;align-items:center;padding:1px 9px;border-radius:99px;font-size:.85rem;font-weight:560;
white-space:nowrap;color:var(--tone);background:var(--soft)}
.good{--tone:var(--good);--soft:var(--good-soft);--fill:var(--good-fill)}.miss{--tone:var(--miss);--soft:var(--miss-soft);--fill:var(--miss-fill)}
.bad{--tone:var(--bad);--soft:var(--bad-soft);--fill:var(--bad-fill)}.wait{--tone:var(--wait);--soft:var(--wait-soft);--fill:var(--wait-fill)}
.warn{--tone:var(--warn);--soft:var(--warn-soft);--fill:var(--warn-fill)}.known{--tone:var(--known);--soft:var(--known-soft);--fill:var(--known-fill)}
.idle{--tone:var(--idle);--soft:var(--idle-soft);--fill:var(--idle-fill)}
.badge.idle{color:var(--quiet)}
.notice{border:1px solid var(--line);border-left:4px solid var(--fill,var(--edge));background:var(--card);
border-radius:8px;padding:10px 14px}
.notice>*+*{margin-top:6px}
.empty{color:var(--quiet);padding:6px 0}

.bars{list-style:none;margin:0;padding:0}
.columns{columns:3 240px;column-gap:32px}.columns li{break-inside:avoid}.unfold{display:none}
.scroll+.legend{margin-top:8px}
.bars>li{display:grid;grid-template-columns:1fr auto;gap:2px 12px;padding:5px 0}
.bars .n{font-weight:560}.bars .about{grid-column:1/-1;color:var(--quiet);font-size:.87rem}
.bars svg,.stacked{grid-column:1/-1;display:block;width:100%;height:8px;border-radius:3px;background:var(--sunk)}
.stacked{height:18px;border-radius:5px}.stacked+.legend{margin-top:8px}
td .stacked{height:6px;min-width:8em;margin-top:4px;border-radius:3px}
.tone{fill:var(--fill,var(--quiet))}.before{fill:var(--ink)}
.legend{display:flex;flex-wrap:wrap;gap:4px 16px;list-style:none;margin:0;padding:0;font-size:.9rem}
.legend li{display:inline-flex;gap:6px;align-items:center}
.legend svg{width:14px;height:12px;flex:none}

.facts{display:grid;grid-template-columns:fit-content(45%) 1fr;gap:4px 16px;margin:0}
.facts.flow{display:flex;flex-wrap:wrap;gap:2px 24px}.facts.flow>div{display:block}.flow dt,.flow dd{display:inline}.facts dt::after{content:" "}
.facts>div{display:contents}.facts dt{color:var(--quiet)}.facts:not(.flow) dt{min-width:min(7em,100%)}.facts dd{margin:0;min-width:0}
.scroll{overflow-x:auto;overflow-wrap:normal;background:linear-gradient(90deg,var(--card) 40%,transparent),linear-gradient(270deg,var(--card) 40%,transparent) 100% 0,linear-gradient(90deg,var(--line),transparent),linear-gradient(270deg,var(--line),transparent) 100% 0,var(--card);background-size:36px 100%,36px 100%,14px 100%,14px 100%,auto;background-repeat:no-repeat;background-attachment:local,local,scroll,scroll,scroll}
.scroll:focus-visible{outline-offset:-2px}
main>.scroll,main>section:not(.card)>.scroll,.stack>.scroll{border:1px solid var(--line);border-radius:10px;padding:6px 16px}
.data tbody tr:last-child>*{border-bottom:0}
table{border-collapse:collapse;width:100%}
table.data{font-size:.93rem}
.data caption{text-align:left;color:var(--quiet);padding:4px 0}
.data th{font-weight:560;text-align:left;color:var(--quiet);white-space:nowrap}
.data tbody th{color:var(--ink);font-weight:400}
.data time{white-space:nowrap}.data th,.data td{padding:5px 14px 5px 0;border-bottom:1px solid var(--line);vertical-align:top}
.data th:last-child,.data td:last-child{padding-right:0}
.data th.n,.nums td{text-align:right}.data .long{overflow-wrap:anywhere;white-space:normal;min-width:12em}.data .widest{min-width:20em}
.data tbody tr:hover,.data tbody tr:focus-within{background:var(--sunk)}.data tbody tr:focus-within>th{box-shadow:-6px 0 var(--card),-9px 0 var(--link)}
.scripted #leads tbody tr{cursor:pointer}body:has(#leads,.filters~#runs)>*{max-width:1800px}
.row:has(>.menu),.filters{position:relative}.menu>summary{list-style:none;color:var(--ink);padding:5px 14px}.menu[open]>summary{background:var(--sunk);margin:0}
.menu>:not(summary){position:absolute;z-index:5;left:0;top:100%;min-width:min(100%,24rem);max-width:100%;margin-top:6px;background:var(--card);border:1px solid var(--edge);border-radius:10px;padding:12px 16px;box-shadow:0 8px 24px #0004}
.menu .menu>:not(summary){position:static;box-shadow:none}
details.numbers{font-size:.9rem}
summary{cursor:pointer;color:var(--link);width:fit-content;padding:2px 0}
details[open]>summary{margin-bottom:6px}
details .scroll{max-height:320px;overflow-y:auto}details .scroll+.scroll{margin-top:14px}
pre.command{margin:0;padding:7px 10px}code.command{display:block;width:fit-content;max-width:100%;padding:1px 8px;
margin-top:3px;color:var(--ink)}
.command{background:var(--sunk);border:1px solid var(--line);border-radius:6px;
white-space:pre-wrap;overflow-wrap:anywhere}

.chart{display:block;width:100%;height:auto;max-width:540px}
.chart text{font-size:12.5px;fill:var(--quiet)}.chart text.strong{fill:var(--ink)}
.chart .grid{stroke:var(--line);stroke-width:1}.chart .axis{stroke:var(--edge);stroke-width:1}
.chart .curve{fill:none;stroke:var(--tone,var(--ink));stroke-width:2;stroke-linejoin:round}
.chart .thin{stroke:var(--quiet);stroke-width:1}
.chart .limit{stroke:var(--bad);stroke-width:1.5;stroke-dasharray:6 3}
.chart .forecast{fill:none;stroke:var(--quiet);stroke-width:1.5;stroke-dasharray:2 4;stroke-linecap:round}
.chart .pause{fill:var(--warn-fill);fill-opacity:.35}
.chart .label{paint-order:stroke;stroke:var(--card);stroke-width:3px;stroke-linejoin:round}

button,.button,input,select{font:inherit;color:inherit}
button,.button{display:inline-block;padding:5px 14px;border:1px solid var(--edge);border-radius:7px;
background:var(--card);cursor:pointer;text-decoration:none;color:var(--ink)}
button:hover,.button:hover{background:var(--sunk)}
button.main,.button.main{background:var(--link);border-color:var(--link);color:var(--on-main)}
button.danger{border-color:var(--bad);color:var(--bad)}
button.plain{border-color:transparent;background:none;color:var(--link);padding:5px 4px}
input:not([type=checkbox],[type=radio]),select{padding:5px 9px;border:1px solid var(--edge);
border-radius:7px;background:var(--card);max-width:100%;min-width:0}
button,.button,input:not([type=checkbox],[type=radio]),select{min-height:2.4rem}
select{appearance:none;padding-right:28px;background:linear-gradient(45deg,transparent 50%,var(--quiet) 50%) right 15px center/6px 6px no-repeat,
linear-gradient(-45deg,transparent 50%,var(--quiet) 50%) right 9px center/6px 6px no-repeat,var(--card)}
td>select{width:100%}
::file-selector-button{font:inherit;color:inherit;margin-right:10px;padding:3px 12px;border:1px solid var(--edge);border-radius:7px;
background:var(--sunk);cursor:pointer}
input[type=checkbox],input[type=radio]{accent-color:var(--link);width:1.05em;height:1.05em}
.field{display:block}.field>label{display:block;font-weight:560;margin-bottom:2px}.field>label.row{display:flex}
.hint{color:var(--quiet);font-size:.87rem}
fieldset{min-width:0;border:1px solid var(--line);border-radius:8px;margin:0;padding:10px 14px}
.filters{display:flex;flex-wrap:wrap;gap:8px 14px;align-items:end;margin:12px 0}
.filters>*{min-width:0;max-width:100%}.filters>a{line-height:2.4rem}.filters>.hint{flex-basis:100%}.filters .field{max-width:min(100%,22rem)}.filters select{max-width:100%}
.pager{display:flex;flex-wrap:wrap;gap:8px 14px;align-items:center;margin-top:10px}
.facets{display:grid;gap:6px;margin:12px 0}.facets .row{gap:6px}.facets .row>.quiet{min-width:7.5em}
.chip{display:inline-block;padding:2px 10px;border:1px solid var(--line);border-radius:99px;background:var(--card);color:var(--ink);
text-decoration:none;font-size:.9rem}.chip:hover{background:var(--sunk)}.chip b{color:var(--quiet);font-weight:560}
.chip[aria-current]{background:var(--wait-soft);border-color:var(--wait);color:var(--wait)}.chip[aria-current] b{color:inherit}
.data .chip{padding:0 8px;margin:1px 0}.data thead a{color:inherit;text-decoration:none}.data thead a:hover{text-decoration:underline}
[aria-sort=ascending]>a::after{content:" ↑"}[aria-sort=descending]>a::after{content:" ↓"}
.value .badge{padding:0 7px;font-size:.8rem}
.contents{display:flex;flex-wrap:wrap;gap:2px 18px;margin:16px 0 0;padding:8px 0;border-bottom:1px solid var(--line)}
.numbers-of-all{margin-top:20px}h2{scroll-margin-top:12px}
.copy,.keys{display:none}.copies .copy{display:inline-block}.scripted .keys{display:inline}.scripted .unscripted{display:none}
.copy{min-height:0;padding:0 6px;border-color:transparent;background:none;color:var(--link);font-size:.8rem}
.value .copy{opacity:0}.value:hover .copy,.copy:focus-visible{opacity:1}
@media (hover:none){.value .copy{opacity:1}}
@media (hover:hover) and (min-width:901px){.value .copy{position:absolute;background:var(--card)}}
kbd{border:1px solid var(--line);border-radius:4px;padding:0 4px}
.drop{display:block;border:2px dashed var(--edge);border-radius:10px;padding:24px;text-align:center;background:var(--card)}
.drop.over{border-color:var(--link);background:var(--wait-soft)}
.timeline{list-style:none;margin:10px 0 0;padding:0 0 0 20px;border-left:2px solid var(--line)}
.timeline>li{position:relative;padding:0 0 14px}
.timeline>li::before{content:"";position:absolute;left:-26px;top:.45em;width:10px;height:10px;border-radius:50%;
background:var(--tone,var(--edge));box-shadow:0 0 0 3px var(--page)}
progress{display:block;width:100%;height:12px;accent-color:var(--good)}
@media (max-width:560px){main,footer,.top{padding-left:10px;padding-right:10px}.card,.figure{padding:11px 12px}
.facts:not(.flow),.facts:not(.flow)>div{display:block}.facts:not(.flow)>div+div{margin-top:3px}.facts dt,.facts dd{display:inline}h1{font-size:1.35rem}.figure .value{font-size:1.35rem}}
@media (max-width:560px){.top{position:relative;flex-wrap:nowrap;gap:0 14px}.top nav{flex-wrap:nowrap;gap:0 14px;white-space:nowrap}.top .brand{font-size:0;gap:0}
#live-state,#pause-live span,.top .badge{position:absolute;right:0;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}}
@media screen and (min-width:901px){.narrow{display:none}}
@media screen and (max-width:900px){.stacks,.stacks tbody,.stacks caption{display:block}
.stacks thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.stacks tr{display:flex;flex-wrap:wrap;gap:2px 14px;padding:8px 0;border-bottom:1px solid var(--line)}
.stacks tr:last-child{border-bottom:0}
.stacks tbody>tr>*{border:0;padding:0;min-width:0;max-width:100%;text-align:left;white-space:normal;overflow-wrap:anywhere}
.stacks .long,.stacks .widest{min-width:0}.stacks td:empty{display:none}.stacks .long[data-name]{flex-basis:100%}
.stacks td[data-name]::before{content:attr(data-name) " ";color:var(--quiet)}}
@media screen and (max-width:560px){.unfold{display:block}.scripted .keys,#text-hint{display:none}.columns:not(:has(:checked)) li:nth-child(n+9),.cards:not(:has(:checked)):has(>.unfold)>.card:nth-child(n+5){display:none}
.brief .minor{display:none}.brief tbody{display:grid;grid-template-columns:auto minmax(0,1fr) auto auto auto;gap:0 10px}
.brief tbody>tr{display:grid;grid-column:1/-1;grid-template-columns:subgrid}
.brief.data tbody>tr>*{white-space:nowrap;overflow:hidden;text-overflow:ellipsis}.brief td[data-name]::before{content:none}
.brief .stacked{min-width:0}.brief .badge{font-size:0}.brief .badge span{font-size:.85rem}
.brief:has(.below) tbody{grid-template-columns:auto minmax(0,1fr) auto}#leads .brief td:not(.below)>.badge{font-size:.85rem}.brief:has(.below) time{display:none}
.below{grid-column:1/-1;order:1;color:var(--quiet)}.below:not(:empty)+.below,.below .copy{display:none}
.below .value{display:inline}.below .value+.value::before{content:"· "}
.brief:has(.below) tbody>tr:not(:has(.below:not(:empty)))::after{content:"–";grid-column:1/-1;color:var(--quiet)}}
@container (min-width:460px){.chart text{font-size:10.5px}}
@page{size:A4;margin:10mm}
@media print{html{font-size:9px;line-height:1.35}body{background:#fff;print-color-adjust:exact;-webkit-print-color-adjust:exact}
main,footer{padding:0 1px;max-width:none}.columns{columns:4 120px;column-gap:16px}.notice{padding:5px 9px}
footer{padding-top:6px}.stacked{height:11px}.legend{gap:1px 10px}.legend svg{width:10px;height:9px}.top,.contents,.numbers,.filters,.pager,.skip,button{display:none}
.card,.figure,.notice,.bars>li,tr{break-inside:avoid}.card,.figure{padding:7px 9px;border-radius:5px}
.card>*+*{margin-top:5px}
h2{margin:9px 0 4px;break-after:avoid}.stack>*+*{margin-top:6px}.about,p+p{margin-top:1px}.cards,.figures{gap:7px}.cards>.card{flex-basis:200px}.chart{max-height:135px}
.figure{flex-basis:90px}.bars>li{padding:2px 0}a{color:inherit}
.bars svg{height:4px}.data th,.data td{padding-top:2px;padding-bottom:2px}}
`;

export const STYLE = String(SHEET);
/** As a policy for content names it. */
export const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

export const STYLE_ELEMENT = html`<style>${SHEET}</style>`;
