package firewall

// foreignRules are the same signs in the languages of Europe, in Arabic,
// Hindi and Korean. They are fewer: what is written here is what carries
// over from language to language, and accents are folded away.
var foreignRules = []rule{
	{"override", 0.85, `
^ ignorier*|vergiss|vergesst|vergessen_sie|missachte*|verwirf|uberschreib* ~4 vorherig*|bisherig*|vorig*|obig*|fruher*|vorangegangen*|vorstehend*|ursprunglich*|deine|ihre|alle ~2 anweisung*|instruktion*|befehl*|vorgaben|regeln|aufforderung*|prompt|prompts|systemanweisung*
^ ignorier*|vergiss|vergessen_sie|missachte* alles|was ~3 oben|vorher|zuvor|bisher|davor|gesagt
^ befolge|folge|befolgen_sie nicht ~2 vorherig*|bisherig*|obig*|ursprunglich* ~1 anweisung*|instruktion*
^ ignorier*|vergiss ~8 und|stattdessen ~1 sag|sage|sagen|antworte|schreib*|geben_sie|gib|erklare|behaupte
^ ignore|ignorez|ignorer|oublie|oubliez|oublier|neglige|negligez|ne_tiens_pas_compte|ne_tenez_pas_compte|ne_tenez_aucun_compte|passe_outre ~4 instruction*|consigne*|directive*|ordres ~3 precedent*|anterieur*|ci|initial*|du_systeme|recue*|donnee*
^ ignore|ignorez|oublie|oubliez ~1 toutes|tes|vos ~2 instruction*|consigne*|directive*|regles
^ oublie|oubliez|ignore|ignorez tout ~3 precede|avant|dessus|precedemment|dit
^ ignore|ignorez|oublie|oubliez ~8 et ~1 dis|dites|indique|indiquez|reponds|repondez|affirme|affirmez|declare|declarez|ecris|ecrivez
^ ignora|ignore|ignorar|ignorad|olvida|olvide|olvidar|olvidate|descarta|descarte|omite|desestima|haz_caso_omiso|haga_caso_omiso ~4 instruccion*|indicacion*|ordenes|directriz|directrices|reglas ~3 anterior*|previa*|precedente*|original*|sistema|iniciales|arriba
^ ignora|ignore|olvida|olvide ~1 todas|todo|tus|sus ~2 instruccion*|indicacion*|anterior|ordenes|reglas|directrices
^ ignora|ignore|olvida|olvide ~8 y ~1 di|diga|declara|declare|responde|responda|afirma|afirme|escribe|indica|indique
^ ignore|ignora|ignorar|ignorem|esqueca|esquece|esquecam|desconsidere|descarte|desconsiderar ~4 instruc*|comando|comandos|orientac*|diretriz*|ordens|regras ~3 anterior*|previa*|precedente*|origina*|sistema|acima|iniciais
^ ignore|esqueca|desconsidere ~1 todas|tudo|suas|as_suas ~2 instruc*|anterior|orientac*|regras
^ ignore|esqueca|desconsidere ~8 e ~1 diga|declare|responda|afirme|escreva
^ ignora|ignorate|ignori|ignorare|dimentica|dimenticate|dimentichi|trascura|tralascia|scarta|non_seguire ~4 istruzion*|indicazion*|comandi|direttiv*|ordini|regole ~3 precedent*|anterior*|sopra|original*|inizial*|sistema
^ ignora|dimentica|ignorate|dimenticate ~1 tutte|tutto|le_tue|le_vostre ~2 istruzion*|precede|regole|indicazion*
^ ignora|dimentica ~8 e ~1 rispondi|dichiari|affermi|dici|scrivi|dichiara|afferma
^ игнорир*|проигнорир*|забудь|забудьте|отбрось*|отмени*|не_обращай*_внимания|не_следуй*|пренебреги* ~5 инструкци*|указани*|команд*|правил*|распоряжени*|директив*|промпт* ~3
^ забудь|забудьте|игнорир*|проигнорир* ~1 все|всё ~2 выше|раньше|ранее|до_этого|предыдущ*|прежн*
^ negeer|vergeet ~3 vorige|voorgaande|eerdere|bovenstaande ~1 instructies|opdrachten|aanwijzingen|richtlijnen
^ zignoruj|zapomnij|ignoruj ~3 poprzedni*|wczesniejsz*|powyzsz* ~1 instrukcj*|polecen*|wytyczn*
تجاهل|تجاهلي|انس|انسى|تجاهلوا ~2 التعليمات|الأوامر|تعليمات|كل|جميع ~2 السابقة|السابق|أعلاه|التعليمات
पिछले|पिछली|पूर्व|सभी|उपरोक्त ~2 निर्देशों|निर्देश|आदेशों ~2 अनदेखा|अनदेखी|भूल|नजरअंदाज|नज़रअंदाज़|उपेक्षा
이전*|앞선|위의|모든|기존 ~2 지시*|명령*|지침*|프롬프트* ~2 무시*|잊어*|따르지
αγνοήστε|αγνόησε|ξέχνα|ξεχάστε|παράβλεψε ~3 προηγούμεν* ~1 οδηγί*|εντολ*
^ abaikan|lupakan ~3 instruksi|perintah|arahan ~2 sebelumnya|atas
onceki|yukaridaki|tum ~2 talimat* ~2 yok_say|gormezden_gel|unut
`},
	{"role", 0.65, `
^ du_bist|sie_sind|ihr_seid jetzt|nun|ab_sofort|ab_jetzt ~4 ki|assistent|chatbot|hacker|dan|modell|entwicklermodus|bot|uneingeschrankt*
^ ab_jetzt|von_nun_an|ab_sofort ~1 bist|wirst|antwortest|musst|sollst|antworten|ignorier* ~1 du|sie ~6
^ tu_es|vous_etes maintenant|desormais ~4 ia|assistant|chatbot|hacker|dan|modele|pirate|bot
^ a_partir_de_maintenant|desormais tu|vous ~1 es|etes|dois|devez|reponds|repondez|vas|allez ~6
^ ahora eres|es ~4 ia|asistente|chatbot|hacker|dan|modelo|bot
^ a_partir_de_ahora|de_ahora_en_adelante ~1 eres|debes|responde*|actua*|seras|vas
^ agora voce|tu ~1 e|es ~4 ia|assistente|chatbot|hacker|dan|modelo|bot
^ a_partir_de_agora|de_agora_em_diante voce ~1 e|deve|vai|respondera|sera
^ ora|adesso sei|siete ~4 ia|assistente|chatbot|hacker|dan|modello|bot
^ da_ora_in_poi|d_ora_in_poi|dora_in_poi ~1 sei|devi|risponderai|agirai|dovrai
теперь ты|вы ~4 ассистент|бот|хакер|модель|ии|dan|помощник|чатбот
^ отныне|с_этого_момента ~1 ты|вы ~1 должен|должны|будешь|будете|отвечай*|являешься
`},
	{"secrecy", 0.6, `
^ sag|sage|sagen_sie|verrate|verraten_sie|informiere|erzahl*|teile|melde|zeige|erwahne ~2 dem|den|der ~1 benutzer|nutzer|anwender|nutzerin|user ~5 nicht|nichts|kein|davon
ohne ~1 den|dem|die ~1 benutzer|nutzer|anwender zu ~1 informieren|fragen|benachrichtigen|sagen
^ ne ~1 dis|dites|parle|parlez|informe|informez|revele|revelez|mentionne|mentionnez|previens|prevenez ~4 utilisateur|lutilisateur|utilisatrice ~5
sans ~1 prevenir|informer|avertir|le_dire_a ~1 lutilisateur|utilisateur
^ no ~2 digas|diga|informes|informe|menciones|mencione|reveles|revele|avises|avise|cuentes ~3 usuario|usuaria ~5
sin ~1 avisar|informar|decirle|decir|notificar ~1 al|a_la usuario|usuaria
^ nao ~2 diga|informe|mencione|revele|avise|conte|notifique ~3 usuario|usuaria ~5
sem ~1 avisar|informar|notificar|dizer ~1 o|ao|a usuario
^ non ~1 dire|dirlo|informare|rivelare|menzionare|avvisare ~3 utente|allutente ~5
senza ~1 avvisare|informare|dirlo ~1 utente|lutente|allutente
^ не ~1 говори*|сообщай*|рассказывай*|упоминай*|показывай*|уведомляй* ~3 пользовател* ~5
`},
	{"exfiltration", 0.7, `
^ sende|schicke|leite|ubermittle|senden_sie|schicken_sie|maile|lade ~2 alle|meine|samtliche|die ~3 passworter|passwort|zugangsdaten|kontakte|emails|e_mails|dateien|kontodaten|daten|nachrichten ~6 an|auf|zu ~3 @email|@url
^ envoie|envoyez|transfere|transferez|transmets|transmettez ~2 tous|toutes|mes|les ~4 mots_de_passe|identifiants|contacts|mails|emails|courriels|fichiers|donnees|messages|documents ~6 a|vers|au ~3 @email|@url
^ envia|envie|reenvia|reenvie|manda|mande|sube|transmite ~2 todos|todas|mis|los|las ~4 contrasenas|credenciales|contactos|correos|archivos|datos|mensajes|documentos ~6 a|al ~3 @email|@url
^ envie|envia|encaminhe|mande|transmita|reenvie ~2 todos|todas|meus|minhas|os|as ~4 senhas|credenciais|contatos|emails|arquivos|dados|mensagens|documentos ~6 para|a|ao ~3 @email|@url
^ invia|inviate|inoltra|manda|trasmetti|spedisci ~2 tutti|tutte|i_miei|le_mie|le|i ~4 password|credenziali|contatti|email|file|dati|messaggi|documenti ~6 a|al|all ~3 @email|@url
^ отправь*|перешли*|пошли*|вышли*|скинь* ~2 все|мои|всех|пароли|данные ~4 парол*|контакт*|письм*|файл*|данн*|сообщени*|документ* ~6 на|по ~3 @email|@url
^ recupera|recupere|obten|obtenga|extrae|busca|imprim* ~10 envialos|envialas|enviarlos|envialo|enviala|reenvialos ~2 a ~2 @email|@url
^ recupere|recuperez|extrais|extrayez ~10 envoie|envoyez ~3 a ~2 @email|@url
^ rufe|hole|suche|extrahiere|lies ~10 sende|schicke|sende_sie|schicke_sie ~3 an ~2 @email|@url
`},
	{"leak", 0.55, `
^ zeige|zeig|verrate|nenne|gib|drucke|wiederhole ~3 systemprompt|system_prompt|systemanweisung*
^ sag|sage|nenne|verrate|gib mir ~3 passwort|kennwort|zugangsdaten
^ was_ist|wie_lautet|wie_ist das|dein passwort|kennwort|geheimwort $
^ montre|revele|affiche|donne|montrez|revelez|affichez|donnez|dis|repete ~4 prompt_systeme|invite_systeme|instructions_systeme
^ dis|donne|donnez|dites moi ~3 mot_de_passe
^ quel_est le|ton|votre mot_de_passe $
^ muestra|revela|dime|dame|muestrame|imprime|repite ~4 prompt_del_sistema|instrucciones_del_sistema
^ dime|dame|muestrame|revelame ~3 contrasena|clave_secreta
cual_es la|tu contrasena $
^ mostre|revele|diga|imprima|repita ~4 prompt_do_sistema|instrucoes_do_sistema
^ diga|mostre|de me ~3 senha
qual_e a ?sua senha $
^ mostra|rivela|dimmi|stampa|ripeti ~4 prompt_di_sistema|istruzioni_di_sistema
^ dimmi|dammi ~3 password
qual_e la ?tua password $
^ покажи*|раскрой*|скажи*|назови*|выведи* ~3 системный_промпт|пароль|системные_инструкции
^ какой пароль $
`},
}

// asianRules are the signs in Chinese and Japanese, where a word of the
// lexicon is one character.
var asianRules = []rule{
	{"override", 0.85, `
忽略|无视|無視|忘记|忘記|忽視|忽视|不要理会|不要遵守|不要遵循|抛弃|跳过|覆盖 ~6 之前|以前|先前|上述|上面|以上|前面|此前|原来|原有|所有|全部|一切|你的|您的|系统|系統 ~6 指令|指示|提示|命令|规则|規則|要求|说明|内容|設定|设定|约束
忽略|无视|忘记|忘掉 ~2 之前|以上|上面|前面 ~4 一切|所有 ~6
以前|前|上記|これまで|上|今まで|先ほど|すべて|全て|既存|元 ~5 指示|命令|プロンプト|ルール|指令|設定|制約 ~6 無視|忘れ|破棄|従わないで
無視 ~3 して ~12 述べて|言って|答えて|出力して|返答して|書いて|送信して|実行して
`},
	{"role", 0.65, `
你现在是|你現在是|您现在是|从现在开始你|从现在起你|從現在開始你|从此刻起你 ~10 助手|模型|机器人|黑客|人工智能|限制|必须|只能|要|将
扮演 ~8 不受限制|没有限制|无限制|黑客
あなたは ~2 今|これから|現在 ~14 アシスタント|モデル|ハッカー|制限|開発者モード
今から|これから あなたは ~12
`},
	{"secrecy", 0.6, `
不要|别|切勿|请勿|不得|不能|禁止 ~2 告诉|告知|通知|提醒|透露给|让 ~2 用户|使用者|用戶|主人|他人
ユーザー|利用者|使用者 ~2 言わないで|伝えないで|知らせないで|教えないで|通知しないで|言うな|伝えるな|知らせずに|告げずに
`},
	{"exfiltration", 0.7, `
发送|发给|转发|上传|發送|泄露|寄 ~14 密码|密碼|凭证|联系人|邮件|文件|数据|聊天记录|资料|隐私|信息|密钥 ~8 到|给|至|往 ~4 @email|@url
将|把 ~10 密码|密碼|凭证|联系人|邮件|文件|数据|聊天记录|资料|信息|密钥 ~4 发送|发给|转发|上传|發送|寄 ~3 到|给|至 ~4 @email|@url
パスワード|認証情報|連絡先|メール|ファイル|データ|個人情報|会話|履歴|鍵 ~8 @email|@url ~4 送信|送って|転送|アップロード|送れ
@email|@url ~2 に ~6 パスワード|認証情報|連絡先|メール|ファイル|データ|個人情報|会話|履歴 ~4 送信|送って|転送|アップロード
`},
	{"leak", 0.55, `
告诉我|显示|输出|打印|透露|重复|给我 ~4 系统提示|系統提示|密码|密碼|口令|初始指令|隐藏指令
密码是什么|密碼是什麼|密码是多少
システムプロンプト|パスワード ~3 教えて|表示して|出力して|見せて
パスワードは何
`},
}
