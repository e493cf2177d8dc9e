"""Commands of Vim that tpy leaves out on purpose: each answers with one line that says what to do instead.

They are here so that abbreviations mean what they mean in Vim, and so that nobody looks for them in vain.
"""

from __future__ import annotations

from collections.abc import Callable

from tpy.modal.ex.context import ExContext
from tpy.modal.registry import CommandFailed, command

# What to do instead, and the commands it is about.
_LEFT_OUT = (
    (
        "there are no tags here: search with :vimgrep or :grep",
        """
        che[ckpath] cs[cope] cst[ag] helpt[ags] lcs[cope] lt[ag] pc[lose] ped[it] po[p] pp[op] ps[earch] pt[ag]
        ptN[ext] ptf[irst] ptj[ump]
        ptl[ast] ptn[ext] ptp[revious] ptr[ewind] pts[elect] scs[cope] sta[g] stj[ump] sts[elect] tN[ext] ta[g] tags
        tf[irst] tj[ump] tl[ast] tn[ext] tp[revious] tr[ewind] ts[elect]
        """,
    ),
    (
        "tpy has no Vim script: put ex commands in tpyrc, and keys in keymaps.toml",
        """
        be[have] brea[k] breaka[dd] breakd[el] breakl[ist] cat[ch] class comp[iler] con[tinue] cons[t]
        deb[ug] debugg[reedy] def defc[ompile] defe[r] delf[unction] disa[ssemble] endc[lass] endd[ef] endfo[r]
        endf[unction] endt[ry] endw[hile] ev[al] exp[ort] filt[er] final fina[lly] fix[del] for fu[nction]
        hi[ghlight] ho[rizontal] imp[ort] lan[guage] loadk[eymap] lockv[ar] mat[ch] ow[nsyntax]
        pa[ckadd] packl[oadall] profd[el] prof[ile] pub[lic] redi[r] retu[rn] ru[ntime] scr[iptnames] sig[n] stat[ic]
        scripte[ncoding] scriptv[ersion] synti[me] sync[bind] th[row] try unlo[ckvar] va[r] vim9[cmd] vim9s[cript]
        wh[ile]
        """,
    ),
    (
        "there are no menus here: map keys with :map",
        """
        am[enu] menut[ranslate] an[oremenu] aun[menu] cme[nu] cnoreme[nu] cunme[nu] em[enu] ime[nu] inoreme[nu]
        iunme[nu] me[nu]
        nme[nu] nnoreme[nu] noreme[nu] nunme[nu] ome[nu] onoreme[nu] ounme[nu] popu[p] sim[alt] sme[nu] snoreme[nu]
        sunme[nu] te[aroff] tlm[enu] tln[oremenu] tlu[nmenu] tm[enu] tu[nmenu] unme[nu] vme[nu] vnoreme[nu]
        vunme[nu] xme[nu] xnoreme[nu] xunme[nu]
        """,
    ),
    (
        "no other language is built in: run a program with :! or filter lines through one",
        """
        lua luad[o] luaf[ile] mz[scheme] mzf[ile] pe[rl] perld[o] py3 python3 py3d[o] py3f[ile] py[thon] pyd[o]
        pyf[ile] pyx pythonx pyxd[o] pyxf[ile] rub[y] rubyd[o] rubyf[ile] tcl tcld[o] tclf[ile]
        """,
    ),
    (
        "there is no spell checking here",
        """
        mksp[ell] spelld[ump] spe[llgood] spelli[nfo] spellra[re] spellr[epall] spellu[ndo] spellw[rong]
        """,
    ),
    (
        "tpy keeps undo, journal and conversations by itself: `:recover` brings back unsaved text",
        """
        lo[adview] mk[exrc] mks[ession] mkv[imrc] mkvie[w] ol[dfiles] pre[serve] rv[iminfo]
        sw[apname] wv[iminfo] xr[estore]
        """,
    ),
    (
        "this is a terminal editor: use <C-z> for a shell and `:agents` for agents",
        """
        X echoc[onsole] echow[indow] exu[sage] gu[i] gv[im] ha[rdcopy] int[ro] nbc[lose] nb[key] opt[ions]
        pro[mptfind] promptr[epl] sh[ell] smi[le]
        ter[minal] tmapc[lear] tma[p] tno[remap] tunma[p] viu[sage] wi[nsize] winp[os]
        """,
    ),
    (
        "use :cnext, :cprevious, :cc, :copen and :cfile",
        """
        cNf[ile] cabo[ve] cad[dbuffer] cadde[xpr] caddf[ile] caf[ter] cbe[fore] cbel[ow] cbo[ttom] cb[uffer] cex[pr]
        cgetb[uffer] cgete[xpr] cg[etfile] chi[story] cnew[er] cnf[ile] col[der] cpf[ile] lNf[ile] lab[ove]
        lad[dexpr] laddb[uffer] laddf[ile] laf[ter] lbe[fore] lbel[ow] lbo[ttom] lb[uffer] lex[pr] lf[ile]
        lgetb[uffer] lgete[xpr] lg[etfile] lgrepa[dd] lh[elpgrep] lhi[story] lm[ap] lmapc[lear] lnew[er] lnf[ile]
        ln[oremap] lol[der] lpf[ile] lu[nmap] lvimgrepa[dd]
        """,
    ),
    (
        "use :buffer, :args and :split",
        """
        al[l] argded[upe] arge[dit] argg[lobal] argl[ocal] ba[ll] balt doautoa[ll] dr[op] helpc[lose] helpf[ind]
        helpg[rep] nbs[art] sa[rgument] sal[l] sbN[ext] sba[ll] sbf[irst] sbl[ast] sbm[odified] sbn[ext]
        sN[ext] sbp[revious] sbr[ewind] sfir[st] sla[st] sn[ext] spr[evious] sre[wind] sun[hide] unh[ide] wN[ext]
        """,
    ),
)


def _declare(notation: str, instead: str) -> None:
    name = notation.replace("[", "").replace("]", "")

    def _refuse(ctx: ExContext) -> None:
        raise CommandFailed(f"E319: :{name} is not in tpy: {instead}")

    _refuse.__doc__ = f"Not in tpy: {instead}."
    declare: Callable[[Callable[[ExContext], None]], object] = command(
        notation, range="0", bang=True, args="rest", bar=False
    )
    declare(_refuse)


for _instead, _notations in _LEFT_OUT:
    for _notation in _notations.split():
        _declare(_notation, _instead)
