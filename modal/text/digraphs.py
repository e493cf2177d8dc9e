"""Digraphs: two typed characters for one that the keyboard lacks (`:help digraphs`, RFC 1345 and Vim's additions).

Lives here: the table and the look-up. Not here: typing them (`engine/insert.py`), listing them (`:digraphs`).
"""

from __future__ import annotations

from collections.abc import Mapping

_TABLE = r"""
00: NU SH SX EX ET EQ AK BL BS HT LF VT FF CR SO SI DL D1 D2 D3 D4 NK SY EB CN EM SB EC FS GS RS US SP 23:
Nb DO 40: At 5b: <( // )> '> 60: '! 7b: (! !! !) '? DT PA HO BH NH IN NL SA ES HS HJ VS PD PU RI S2 S3 DC
P1 P2 TS CC MW SG EG SS GC SC CI ST OC PM AC NS !I a1: ~! Ct a2: c| Pd a3: $$ Cu a4: ox Ye a5: Y- BB a6: ||
SE ': Co a9: cO -a << NO ac: -, -- Rg 'm af: -= DG b0: ~o +- 2S b2: 22 3S b3: 33 '' My PI b6: pp .M b7: ~.
', 1S b9: 11 -o >> 14 12 34 ?I bf: ~? A! c0: A` A' A> c2: A^ A? c3: A~ A: c4: A" AA c5: A@ AE C, E! c8: E`
E' E> ca: E^ E: cb: E" I! cc: I` I' I> ce: I^ I: cf: I" D- N? d1: N~ O! d2: O` O' O> d4: O^ O? d5: O~ O: *X
d7: /\ O/ U! d9: U` U' U> db: U^ U: Y' TH de: Ip ss a! e0: a` a' a> e2: a^ a? e3: a~ a: e4: a" aa e5: a@ ae
c, e! e8: e` e' e> ea: e^ e: eb: e" i! ec: i` i' i> ee: i^ i: d- n? f1: n~ o! f2: o` o' o> f4: o^ o? f5: o~
o: -: o/ u! f9: u` u' u> fb: u^ u: y' th y: ff: y" A- a- A( a( A; a; C' c' C> c> C. c. C< c< D< d< D/ d/ E-
e- E( e( E. e. E; e; E< e< G> g> G( g( G. g. G, g, H> h> H/ h/ I? i? I- i- I( i( I; i; I. i. IJ ij J> j> K,
k, kk L' l' L, l, L< l< L. l. L/ l/ N' n' N, n, N< n< 'n NG ng O- o- O( o( O" o" OE oe R' r' R, r, R< r< S'
s' S> s> S, s, S< s< T, t, T< t< T/ t/ U? u? U- u- U( u( U0 u0 U" u" U; u; W> w> Y> y> Y: Z' z' Z. z. Z< z<
1a0: O9 o9 OI oi 1a6: yr 1af: U9 u9 1b5: Z/ z/ ED 1cd: A< a< I< i< O< o< U< u< 1de: A1 a1 A7 a7 A3 a3 G/ g/
G< g< K< k< O; o; O1 o1 EZ ez j< 1f4: G' g' 2bf: ;S 2c7: '< 2d8: '( '. '0 '; 2dd: '" 386: A% 388: E% Y% I%
38c: O% 38e: U% W% i3 A* B* G* D* E* Z* Y* H* I* K* L* M* N* C* O* P* R* 3a3: S* T* U* F* X* Q* W* J* V* a%
e% y% i% u3 a* b* g* d* e* z* y* h* i* k* l* m* n* c* o* p* r* *s s* t* u* f* x* q* w* j* v* o% u% w% 3d8:
'G ,G T3 t3 M3 m3 K3 k3 P3 p3 3f4: '% j3 401: IO D% G% IE DS II YI J% LJ NJ Ts KJ 40e: V% DZ A= B= V= G= D=
E= Z% Z= I= J= K= L= M= N= O= P= R= S= T= U= F= H= C= C% S% Sc =" Y= %" JE JU JA a= b= v= g= d= e= z% z= i=
j= k= l= m= n= o= p= r= s= t= u= f= h= c= c% s% sc =' y= %' je ju ja 451: io d% g% ie ds ii yi j% lj nj ts
kj 45e: v% dz 462: Y3 y3 46a: O3 o3 472: F3 f3 V3 v3 480: C3 c3 490: G3 g3 5d0: A+ B+ G+ D+ H+ W+ Z+ X+ Tj
J+ K% K+ L+ M% M+ N% N+ S+ E+ P% P+ Zj ZJ Q+ R+ Sh T+ 60c: ,+ 61b: ;+ 61f: ?+ 621: H' aM aH wH ah yH a+ b+
tm t+ tk g+ hk x+ d+ dk r+ z+ s+ sn c+ dd tj zH e+ i+ 640: ++ f+ q+ k+ l+ m+ n+ h+ w+ j+ y+ :+ "+ =+ /+ '+
1+ 3+ 0+ 670: aS 67e: p+ 6a4: v+ 6af: gf 6f0: 0a 1a 2a 3a 4a 5a 6a 7a 8a 9a 1e02: B. b. 1e06: B_ b_ 1e0a:
D. d. 1e0e: D_ d_ D, d, 1e1e: F. f. G- g- H. h. 1e26: H: h: H, h, 1e30: K' k' 1e34: K_ k_ 1e3a: L_ l_ 1e3e:
M' m' M. m. 1e44: N. n. 1e48: N_ n_ 1e54: P' p' P. p. R. r. 1e5e: R_ r_ S. s. 1e6a: T. t. 1e6e: T_ t_ 1e7c:
V? v? 1e80: W! 1e80: W` w! 1e81: w` W' w' W: w: W. w. 1e8a: X. x. X: x: Y. y. Z> z> 1e94: Z_ z_ h_ t: w0 y0
1ea2: A2 a2 1eba: E2 e2 E? e? 1ec8: I2 i2 1ece: O2 o2 1ee6: U2 u2 1ef2: Y! 1ef2: Y` y! 1ef3: y` 1ef6: Y2 y2
Y? y? 1f00: ;' ,' ;! ,! ?; ?, !: ?: 2002: 1N 1M 3M 4M 6M 2009: 1T 1H 2010: -1 2013: -N -M -3 !2 =2 '6 '9 .9
9' "6 "9 :9 9" /- /= oo 2025: .. ,. 2030: %0 2032: 1' 2' 3' 1" 2" 3" Ca <1 >1 :X 203e: '- 2044: /f 2070: 0S
2074: 4S 5S 6S 7S 8S 9S +S -S =S (S )S nS 0s 1s 2s 3s 4s 5s 6s 7s 8s 9s +s -s =s (s )s 20a4: Li 20a7: Pt
20a9: W= 20ac: =e 20ac: Eu 20bd: =R 20bd: =P 2103: oC 2105: co 2109: oF 2116: N0 PO 211e: Rx 2120: SM 2122:
TM 2126: Om 212b: AO 2153: 13 23 15 25 35 45 16 56 18 38 58 78 2160: 1R 2R 3R 4R 5R 6R 7R 8R 9R aR bR cR
2170: 1r 2r 3r 4r 5r 6r 7r 8r 9r ar br cr 2190: <- -! -> -v <> UD 21d0: <= 21d2: => 21d4: == 2200: FA 2202:
dP TE 2205: /0 DE NB (- 220b: -) 220f: *P 2211: +Z -2 -+ 2217: *- Ob Sb RT 221d: 0( 00 -L -V 2225: PP 2227:
AN OR (U )U In DI 222e: Io 2234: .: :. :R :: 223c: ?1 223e: CG 2243: ?- 2245: ?= 2248: ?2 224c: =? 2253: HI
2260: != =3 2264: =< >= 226a: <* *> 226e: !< !> 2282: (C )C 2286: (_ )_ 2299: 0. 02 22a5: -T 22c5: .P 22ee:
:3 .3 2302: Eh 2308: <7 >7 7< 7> 2310: NI 2312: (A 2315: TR 2320: Iu Il 2329: </ /> 2423: Vs 2440: 1h 3h 2h
4h 2446: 1j 2j 3j 4j 2488: 1. 2. 3. 4. 5. 6. 7. 8. 9. 2500: hh HH vv VV 3- 3_ 3! 3/ 4- 4_ 4! 4/ dr dR Dr DR
dl dL Dl LD ur uR Ur UR ul uL Ul UL vr vR 2520: Vr 2523: VR vl vL 2528: Vl 252b: VL dh 252f: dH Dh 2533: DH
uh 2537: uH Uh 253b: UH vh 253f: vH 2542: Vh 254b: VH 2571: FD BD 2580: TB 2584: LB 2588: FB 258c: lB 2590:
RB .S :S ?S 25a0: fS OS RO Rr RF RY RH RZ RK RX sB 25ac: SR Or 25b2: UT uT 25b6: PR Tr 25bc: Dt dT 25c0: PL
Tl 25c6: Db Dw 25ca: LZ 0m 25ce: 0o 0M 0L 0R 25d8: Sn Ic 25e2: Fd Bd 2605: *2 *1 261c: <H 261e: >H 263a: 0u
0U SU 2640: Fm 2642: Ml 2660: cS cH cD cC 2669: Md M8 M2 266d: Mb Mx MX 2713: OK 2717: XX 2720: -X 3000: IS
,_ ._ +" +_ *_ ;_ 0_ 300a: <+ >+ <' >' <" >" (" )" =T =_ (' )' (I )I 301c: -? 3041: A5 a5 I5 i5 U5 u5 E5 e5
O5 o5 ka ga ki gi ku gu ke ge ko go sa za si zi su zu se ze so zo ta da ti di tU tu du te de to do na ni nu
ne no ha ba pa hi bi pi hu bu pu he be pe ho bo po ma mi mu me mo yA ya yU yu yO yo ra ri ru re ro wA wa wi
we wo n5 vu 309b: "5 05 *5 +5 30a1: a6 A6 i6 I6 u6 U6 e6 E6 o6 O6 Ka Ga Ki Gi Ku Gu Ke Ge Ko Go Sa Za Si Zi
Su Zu Se Ze So Zo Ta Da Ti Di TU Tu Du Te De To Do Na Ni Nu Ne No Ha Ba Pa Hi Bi Pi Hu Bu Pu He Be Pe Ho Bo
Po Ma Mi Mu Me Mo YA Ya YU Yu YO Yo Ra Ri Ru Re Ro WA Wa Wi We Wo N6 Vu KA KE Va Vi Ve Vo .6 -6 *6 +6 3105:
b4 p4 m4 f4 d4 t4 n4 l4 g4 k4 h4 j4 q4 x4 zh ch sh r4 z4 c4 s4 a4 o4 e4 311e: ai ei au ou an en aN eN er i4
u4 iu v4 nG gn 3220: 1c 2c 3c 4c 5c 6c 7c 8c 9c fb00: ff fi fl fb05: ft st
"""
# Each `hex:` starts a run of consecutive code points; then their names follow, a blank in a name written as ␣.

_names: dict[str, str] = {}


def table() -> dict[str, str]:
    """Return every built-in digraph: its two characters -> the character. Built on first use."""
    if not _names:
        code = 0
        for word in _TABLE.split():
            if len(word) > 2 and word[-1] == ":":
                code = int(word[:-1], 16)
            else:
                _names[word.replace("␣", " ")] = chr(code)
                code += 1
    return _names


def digraph(first: str, second: str, own: Mapping[str, str] | None = None, *, blank: bool = True) -> str:
    """Return the character for two typed ones, as `CTRL-K {char1} {char2}` does.

    `own` holds the user's `:digraphs`, which win. The order may be reversed when that pair is unused; without a
    digraph the second character stands for itself (`:help digraphs-use`). `blank`: one stands for the Meta key.
    """
    for pair in (first + second, second + first):
        for known in (own or {}, table()):
            if pair in known:
                return known[pair]
        if blank and pair[0] == " ":
            # A blank stands for the Meta key: the high bit of a byte.
            return chr(ord(pair[1]) & 0x7F | 0x80) if pair[1] < "\x80" else second
    return second
