package dev.latchkey.nacos;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.nacos.auth.config.NacosAuthConfig;
import com.alibaba.nacos.plugin.auth.constant.ApiType;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OpenScopesTest {

    @Test
    void scopeThatIsOff_isNamedByItsProperty() {
        assertThat(warnings(new Scope(ApiType.OPEN_API, false), new Scope(ApiType.ADMIN_API, true)))
                .singleElement()
                .asString()
                .startsWith("nacos.core.auth.enabled is false");
        assertThat(warnings(new Scope(ApiType.ADMIN_API, false), new Scope(ApiType.CONSOLE_API, false)))
                .satisfiesExactly(
                        admin -> assertThat(admin).startsWith("nacos.core.auth.admin.enabled is false"),
                        console -> assertThat(console).startsWith("nacos.core.auth.console.enabled is false"));
    }

    @Test
    void scopesThatAreOn_andOneThatIsUnknown_areNotNamed() {
        assertThat(warnings(new Scope(ApiType.ADMIN_API, true), new Scope(ApiType.INNER_API, false)))
                .isEmpty();
    }

    private static List<String> warnings(NacosAuthConfig... scopes) {
        return OpenScopes.warnings(List.of(scopes));
    }

    private record Scope(ApiType type, boolean isAuthEnabled) implements NacosAuthConfig {

        @Override
        public String getAuthScope() {
            return type.name();
        }

        @Override
        public String getNacosAuthSystemType() {
            return "latchkey";
        }

        @Override
        public boolean isSupportServerIdentity() {
            return false;
        }

        @Override
        public String getServerIdentityKey() {
            return "";
        }

        @Override
        public String getServerIdentityValue() {
            return "";
        }
    }
}
