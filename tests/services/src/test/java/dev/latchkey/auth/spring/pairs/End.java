package dev.latchkey.auth.spring.pairs;

import dev.latchkey.auth.spring.token.SigningKeyRotation;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What should end a credential. */
enum End {
    LOGOUT("logout", "the credential after a logout with it, or with the tokens of the login that it was obtained by") {
        @Override
        void come(Visit visit, Lasting.Held held) throws Exception {
            String path = held.present().containsKey("Cookie") ? "/logout" : "/auth/logout";
            visit.send("POST", path, "", held.present());
        }
    },
    OWNER("end by the owner", "the credential after the owner ended each login in the list of logins") {
        @Override
        void come(Visit visit, Lasting.Held held) throws Exception {
            if (!held.present().containsKey("Authorization")) {
                endAll(visit, visit.login(Visit.SECRET).ticket());
            } else {
                endAll(visit, held.present());
            }
        }

        private void endAll(Visit visit, Map<String, String> token) throws Exception {
            Client.Reply list = visit.send("GET", "/auth/logins", "", token);
            Matcher ids = Pattern.compile("\"id\":\"([^\"]+)\"").matcher(list.body());
            while (ids.find()) {
                visit.send("DELETE", "/auth/logins/" + ids.group(1), "", token);
            }
        }
    },
    REVOKED("subject revoked", "the credential after `AuthChain.revokeAll`") {
        @Override
        void come(Visit visit, Lasting.Held held) {
            Rule.revoke(visit);
        }
    },
    PASSWORD(
            "password changed",
            "the credential after another password was stored, and nothing else done; with the new password where one is asked for") {
        @Override
        void come(Visit visit, Lasting.Held held) {
            visit.change(row -> row.withSecret("another-secret"));
        }
    },
    DISABLED("account disabled", "the credential after the account was disabled, and nothing else done") {
        @Override
        void come(Visit visit, Lasting.Held held) {
            visit.change(World.Row::disabled);
        }
    },
    RECREATED(
            "account made anew",
            "the credential after the account was deleted and made anew under its name, for somebody else, and nothing else done") {
        @Override
        void come(Visit visit, Lasting.Held held) {
            visit.world().move(Duration.ofSeconds(2));
            visit.change(row -> row.recreated("secret-of-another", visit.world().instant()));
        }
    },
    KEY_DROPPED("signing key dropped", "the credential after a rotation that drops the signing key") {
        @Override
        void come(Visit visit, Lasting.Held held) {
            visit.service().getBean(SigningKeyRotation.class).rotateAndDrop(Rule.newKey());
        }
    },
    REMOVED(
            "plugin removed",
            "the credential after a restart without the plugin that issued it, or without the source of its account") {
        @Override
        void come(Visit visit, Lasting.Held held) {
            // The test starts another service.
        }
    };

    private final String label;
    private final String shown;

    End(String label, String shown) {
        this.label = label;
        this.shown = shown;
    }

    String label() {
        return label;
    }

    String shown() {
        return shown;
    }

    abstract void come(Visit visit, Lasting.Held held) throws Exception;
}
