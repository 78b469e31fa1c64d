package dev.latchkey.plugins.ldap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import dev.latchkey.auth.factory.PluginEnvironment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One connection for many questions, and another one after a connection is gone. */
class ConnectionsTest {

    private final List<LDAPConnection> asked = new ArrayList<>();
    private TestDirectory directory;
    private Connections connections;

    @BeforeEach
    void start() throws Exception {
        directory = TestDirectory.start();
        PluginEnvironment environment =
                Plugins.environment(Plugins.config(directory.settings(), "max-connections", "1"));
        connections = new Connections(
                environment,
                ServerSettings.of(environment),
                ServiceAccount.of(environment).orElse(null));
    }

    @AfterEach
    void stop() {
        connections.close();
        directory.close();
    }

    private String ask(ResultCode... failures) throws LDAPException {
        return connections.ask(connection -> {
            asked.add(connection);
            if (asked.size() <= failures.length) {
                throw new LDAPException(failures[asked.size() - 1]);
            }
            return "answer " + asked.size();
        });
    }

    @Test
    void connectionOfAnAnswer_isUsedAgain_andNamedAsThePlugin() throws Exception {
        assertThat(ask()).isEqualTo("answer 1");
        assertThat(ask()).isEqualTo("answer 2");
        assertThat(asked.get(1)).isSameAs(asked.get(0));
        assertThat(asked.get(0).getConnectionPoolName()).isEqualTo("ldap");
    }

    @Test
    void connectionThatEndsDuringAQuestion_isReplaced_andTheQuestionIsAskedAgain() throws Exception {
        assertThat(ask(ResultCode.SERVER_DOWN)).isEqualTo("answer 2");
        assertThat(asked.get(1)).isNotSameAs(asked.get(0));
        assertThat(ask(ResultCode.SERVER_DOWN)).isEqualTo("answer 3");
        assertThat(asked.get(2)).isSameAs(asked.get(1));
    }

    @Test
    void failureOfAQuestion_takesNoPlaceForEver() throws Exception {
        assertThatIllegalStateException()
                .isThrownBy(() -> connections.ask(connection -> {
                    throw new IllegalStateException("broken");
                }));
        assertThat(ask()).isEqualTo("answer 1");
    }
}
