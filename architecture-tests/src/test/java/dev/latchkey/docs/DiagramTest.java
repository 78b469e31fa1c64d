package dev.latchkey.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiagramTest {

    @Test
    void chainsAndGroups_areArrows() {
        Diagram diagram = Diagram.of("""
                %% a comment
                flowchart TD
                  a[the first] --> b & c[auth-c]
                  c -. optional .-> d --> a
                """);
        assertThat(diagram.boxes())
                .extracting(Diagram.Box::id, Diagram.Box::text)
                .containsExactly(
                        Tuple.tuple("a", "the first"),
                        Tuple.tuple("b", "b"),
                        Tuple.tuple("c", "auth-c"),
                        Tuple.tuple("d", "d"));
        assertThat(diagram.inWords())
                .isEqualTo("the first → b; the first → auth-c; auth-c → d (optional); d → the first");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "sequenceDiagram\n a --> b", "flowchart TD\n a(round) --> b", "flowchart TD\n a -->"})
    void otherMermaid_isRejected(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Diagram.of(text));
    }

    @Test
    void picture_hasEachBoxAndArrow_andEscapesTexts() {
        String svg = DiagramSvg.of(Diagram.of("flowchart LR\n a[x < y] --> b\n a -. maybe .-> c\n"));
        assertThat(svg).contains("<title>x &lt; y → b; x &lt; y → c (maybe)</title>");
        assertThat(svg.split("<rect ", -1)).hasSize(4);
        assertThat(svg.split("marker-end", -1)).hasSize(3);
        assertThat(svg).contains("class=\"dotted\"").contains(">maybe</text>");
    }

    @Test
    void longText_isBrokenIntoLines() {
        String svg = DiagramSvg.of(Diagram.of("flowchart LR\n a[PluginAuthenticationFilter or Spring's server]\n"));
        assertThat(svg).contains(">PluginAuthenticationFilter</text>").contains(">or Spring's server</text>");
    }
}
