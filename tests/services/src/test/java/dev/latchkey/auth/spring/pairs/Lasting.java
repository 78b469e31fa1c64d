package dev.latchkey.auth.spring.pairs;

import dev.latchkey.auth.Secret;
import dev.latchkey.plugins.apikeys.ApiKeys;
import dev.latchkey.plugins.apikeys.ApiKeysPlugin;
import dev.latchkey.plugins.apikeys.IssuedKey;
import dev.latchkey.plugins.apikeys.KeyRequest;
import dev.latchkey.plugins.apikeys.store.KeyOwner;
import dev.latchkey.plugins.codes.Enrolment;
import dev.latchkey.plugins.codes.OneTimeCodes;
import dev.latchkey.plugins.codes.OneTimeCodesPlugin;
import dev.latchkey.plugins.codes.RememberedDevices;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A lasting credential, its issue and its use. */
enum Lasting {
    ACCESS_TOKEN("access token", "") {
        @Override
        Held obtain(Visit visit) throws Exception {
            Visit.Login login = visit.login(Visit.SECRET);
            return new Held(login.last().member("access_token").orElseThrow(), login.ticket());
        }

        @Override
        String use(Visit visit, String credential) throws Exception {
            return visit.send("GET", "/hello", "", bearer(credential)).shown();
        }
    },
    REFRESH_TOKEN("refresh token", "") {
        @Override
        Held obtain(Visit visit) throws Exception {
            Visit.Login login = visit.login(Visit.SECRET);
            return new Held(login.last().member("refresh_token").orElseThrow(), login.ticket());
        }

        @Override
        String use(Visit visit, String credential) throws Exception {
            return visit.send(
                            "POST",
                            "/auth/token",
                            Forms.of("grant_type", "refresh_token", "refresh_token", credential),
                            Map.of())
                    .shown();
        }
    },
    ISSUED("refresh token after a one-time token", "") {
        @Override
        Held obtain(Visit visit) throws Exception {
            return REFRESH_TOKEN.obtain(visit.by(Way.MAGIC_LINK));
        }

        @Override
        String use(Visit visit, String credential) throws Exception {
            return REFRESH_TOKEN.use(visit, credential);
        }
    },
    OF_A_CLIENT("refresh token of a registered client", "") {
        @Override
        Held obtain(Visit visit) throws Exception {
            return REFRESH_TOKEN.obtain(visit.by(Way.CLIENT));
        }

        @Override
        String use(Visit visit, String credential) throws Exception {
            return visit.send(
                            "POST",
                            "/auth/token",
                            Forms.of("grant_type", "refresh_token", "refresh_token", credential),
                            Tokens.CLIENT)
                    .shown();
        }
    },
    INTROSPECTED("access token, introspected", "") {
        @Override
        Held obtain(Visit visit) throws Exception {
            return ACCESS_TOKEN.obtain(visit);
        }

        @Override
        String use(Visit visit, String credential) throws Exception {
            return introspected(visit, credential);
        }
    },
    PROVED("token after a fresh proof", "") {
        @Override
        Held obtain(Visit visit) throws Exception {
            Visit.Login login = visit.login(Visit.SECRET);
            String token = login.last().member("access_token").orElseThrow();
            return new Held(Tokens.proved(visit, token).orElseThrow(), login.ticket());
        }

        @Override
        String use(Visit visit, String credential) throws Exception {
            return ACCESS_TOKEN.use(visit, credential) + ", " + introspected(visit, credential);
        }
    },
    ACTING("token to act as the account", "") {
        @Override
        Held obtain(Visit visit) throws Exception {
            Visit.Login login = visit.by(Way.ACTING).login(Visit.SECRET);
            return new Held(login.last().member("access_token").orElseThrow(), bearer(Tokens.ofASupporter(visit)));
        }

        @Override
        String use(Visit visit, String credential) throws Exception {
            return ACCESS_TOKEN.use(visit, credential) + ", " + introspected(visit, credential);
        }
    },
    PARTNER("token of a trusted issuer", "") {
        @Override
        Held obtain(Visit visit) {
            String token = visit.world().partner.token(visit.name(), Visit.SECRET);
            return new Held(token, bearer(token));
        }

        @Override
        String use(Visit visit, String credential) throws Exception {
            return ACCESS_TOKEN.use(visit, credential) + ", " + introspected(visit, credential);
        }
    },
    OLD_TOKEN("token from before Latchkey", "") {
        @Override
        Held obtain(Visit visit) {
            String token = Tokens.old(visit, Visit.SECRET);
            return new Held(token, bearer(token));
        }

        @Override
        String use(Visit visit, String credential) throws Exception {
            return ACCESS_TOKEN.use(visit, credential) + ", " + introspected(visit, credential);
        }
    },
    SESSION("session cookie", "") {
        @Override
        Held obtain(Visit visit) throws Exception {
            Map<String, String> cookie = visit.by(Way.FORM).login(Visit.SECRET).ticket();
            return new Held(cookie.get("Cookie"), cookie);
        }

        @Override
        String use(Visit visit, String credential) throws Exception {
            return visit.send("GET", "/hello", "", Map.of("Cookie", credential)).shown();
        }
    },
    SESSION_OF_A_HUB("session cookie of an OAuth2 login", "") {
        @Override
        Held obtain(Visit visit) throws Exception {
            Map<String, String> cookie = visit.login(Visit.SECRET).ticket();
            return new Held(cookie.get("Cookie"), cookie);
        }

        @Override
        String use(Visit visit, String credential) throws Exception {
            return SESSION.use(visit, credential);
        }
    },
    SESSION_OF_AN_IDP("session cookie of a SAML login", "") {
        @Override
        Held obtain(Visit visit) throws Exception {
            return SESSION_OF_A_HUB.obtain(visit);
        }

        @Override
        String use(Visit visit, String credential) throws Exception {
            return SESSION.use(visit, credential);
        }
    },
    REMEMBER_ME("remember-me cookie", "") {
        @Override
        Held obtain(Visit visit) throws Exception {
            Map<String, String> cookie =
                    visit.by(Way.REMEMBER_ME).login(Visit.SECRET).ticket();
            return new Held(cookie.get("Cookie"), cookie);
        }

        @Override
        String use(Visit visit, String credential) throws Exception {
            return visit.send("GET", "/hello", "", Map.of("Cookie", credential)).shown();
        }
    },
    REMEMBERED_BY_A_ROW("remember-me cookie with a row", "") {
        @Override
        Held obtain(Visit visit) throws Exception {
            Client.Reply login = visit.send(
                    "POST",
                    "/login",
                    Forms.of("username", visit.name(), "password", Visit.SECRET, "remember-me", "on"),
                    PairServices.WITH_ROWS);
            String cookies = login.cookies().orElseThrow();
            Map<String, String> present = new HashMap<>(PairServices.WITH_ROWS);
            present.put("Cookie", cookies);
            String cookie = Arrays.stream(cookies.split("; ", -1))
                    .filter(each -> each.startsWith("remember-me="))
                    .findFirst()
                    .orElseThrow();
            return new Held(cookie, present);
        }

        @Override
        String use(Visit visit, String credential) throws Exception {
            Map<String, String> cookie = new HashMap<>(PairServices.WITH_ROWS);
            cookie.put("Cookie", credential);
            return visit.send("GET", "/hello", "", cookie).shown();
        }
    },
    API_KEY("API key", ApiKeysPlugin.NAME) {
        @Override
        Held obtain(Visit visit) {
            String key = ((IssuedKey) visit.service()
                            .getBean(ApiKeys.class)
                            .issue(new KeyOwner(visit.subject(), visit.way().home()), KeyRequest.named("nightly")))
                    .text()
                    .withText(CharSequence::toString);
            return new Held(key, Map.of("X-API-Key", key));
        }

        @Override
        String use(Visit visit, String credential) throws Exception {
            return visit.send("GET", "/hello", "", Map.of("X-API-Key", credential))
                            .shown() + ", " + introspected(visit, credential);
        }
    },
    DEVICE("remembered device", OneTimeCodesPlugin.NAME) {
        @Override
        Held obtain(Visit visit) throws Exception {
            String code = enrol(visit).get(0);
            Client.Reply login = visit.answer(visit.begin(), code, ",\"remember_device\":true");
            return new Held(
                    login.member("device_token").orElseThrow(),
                    bearer(login.member("access_token").orElseThrow()));
        }

        @Override
        String use(Visit visit, String credential) throws Exception {
            return visit.send(
                            "POST",
                            "/auth/token",
                            Forms.of("username", visit.name(), "password", visit.secret()),
                            Map.of(RememberedDevices.HEADER, credential))
                    .shown();
        }
    },
    CONTINUATION("continuation", OneTimeCodesPlugin.NAME) {
        @Override
        Held obtain(Visit visit) throws Exception {
            List<String> codes = enrol(visit);
            Client.Reply login = visit.answer(visit.begin(), codes.get(0), "");
            return new Held(
                    visit.begin() + " " + codes.get(1),
                    bearer(login.member("access_token").orElseThrow()));
        }

        @Override
        String use(Visit visit, String credential) throws Exception {
            String[] parts = credential.split(" ", -1);
            return visit.answer(parts[0], parts[1], "").shown();
        }
    },
    RECOVERY_CODE("recovery code", OneTimeCodesPlugin.NAME) {
        @Override
        Held obtain(Visit visit) throws Exception {
            List<String> codes = enrol(visit);
            Client.Reply login = visit.answer(visit.begin(), codes.get(0), "");
            return new Held(codes.get(1), bearer(login.member("access_token").orElseThrow()));
        }

        @Override
        String use(Visit visit, String credential) throws Exception {
            Client.Reply first = visit.send(
                    "POST", "/auth/token", Forms.of("username", visit.name(), "password", visit.secret()), Map.of());
            return first.member("continuation").isPresent()
                    ? visit.answer(first.member("continuation").get(), credential, "")
                            .shown()
                    : first.shown() + ", not asked for";
        }
    };

    private static final Pattern ACTIVE = Pattern.compile("\"active\":true");

    private final String label;
    private final String issuer;

    Lasting(String label, String issuer) {
        this.label = label;
        this.issuer = issuer;
    }

    /** @param present what a logout of the same login presents */
    record Held(String credential, Map<String, String> present) {}

    String label() {
        return label;
    }

    /** The plugin that issues it, or none where the source of the account counts. */
    String issuer() {
        return issuer;
    }

    /** How its holder logs in. */
    Way way() {
        return switch (this) {
            case PARTNER -> Way.PARTNER;
            case SESSION_OF_A_HUB -> Way.HUB;
            case SESSION_OF_AN_IDP -> Way.IDP;
            default -> Way.JSON;
        };
    }

    abstract Held obtain(Visit visit) throws Exception;

    abstract String use(Visit visit, String credential) throws Exception;

    /** Whether a resource server hears that the credential is good. */
    private static String introspected(Visit visit, String credential) throws Exception {
        Client.Reply reply = visit.send("POST", "/auth/introspect", Forms.of("token", credential), Tokens.CLIENT);
        if (reply.status() != 200) {
            return reply.shown();
        }
        return ACTIVE.matcher(reply.body()).find() ? "active" : "inactive";
    }

    static Map<String, String> bearer(String token) {
        return Map.of("Authorization", "Bearer " + token);
    }

    /** Has the account asked for codes, and answers with its recovery codes. */
    private static List<String> enrol(Visit visit) {
        OneTimeCodes codes = visit.service().getBean(OneTimeCodes.class);
        Enrolment enrolment = codes.begin(visit.subject()).orElseThrow();
        String code = enrolment
                .key()
                .withText(
                        secret -> AuthenticatorApp.codeOf(secret, visit.world().instant()));
        return codes.confirm(visit.subject(), Secret.of(code)).orElseThrow().stream()
                .map(each -> each.withText(CharSequence::toString))
                .toList();
    }
}
