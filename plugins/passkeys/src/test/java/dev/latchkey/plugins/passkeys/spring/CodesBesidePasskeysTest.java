package dev.latchkey.plugins.passkeys.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Secret;
import dev.latchkey.plugins.codes.OneTimeCodes;
import dev.latchkey.plugins.passkeys.spring.Client.Reply;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** An account with codes and without a passkey. The passkeys are asked after the code is used up, and are down. */
@Tag("long")
class CodesBesidePasskeysTest {

    @ParameterizedTest
    @EnumSource
    void outageOfThePasskeys_usesUpNoCode(Stack stack) {
        stack.run((client, context) -> {
            OneTimeCodes codes = context.getBean(OneTimeCodes.class);
            Secret shown = codes.begin("ada").orElseThrow().key();
            List<Secret> recovery = codes.confirm("ada", CodeApp.code(shown)).orElseThrow();
            JdbcClient database = context.getBean(JdbcClient.class);
            for (Secret code : recovery) {
                Reply login = client.login("ada");
                Map<String, Secret> response = Map.of("code", code);
                database.sql("alter table latchkey_passkey rename to gone").update();
                assertThat(client.goOn(login, response).status()).isEqualTo(503);
                database.sql("alter table gone rename to latchkey_passkey").update();
                assertThat(client.goOn(login, response).status()).isEqualTo(200);
                assertThat(client.goOn(client.login("ada"), response).status())
                        .as("the same code in another login")
                        .isEqualTo(401);
            }
        });
    }
}
