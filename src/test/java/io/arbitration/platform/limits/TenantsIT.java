package io.arbitration.platform.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.WholeDay;
import io.arbitration.mainapi.live.StreamClient;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever number of machine clients an organization has, a node counts them as one where it shares out its places. */
class TenantsIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();
    private static final int CLIENTS = 6;

    @TempDir
    private static Path folder;
    private static RunningPlatform node;

    @BeforeAll
    static void start() {
        node = PLATFORM.sibling(folder, Map.of("ACP_LIVE_STREAMS_MAX", "8", "ACP_LIVE_STREAMS_PER_CALLER", "2", "ACP_RATE_LIMIT_ENABLED", "true",
                "ACP_RATE_LIMIT_PER_ADDRESS", "10000", "ACP_RATE_LIMIT_CONNECTIONS_PER_ADDRESS", "10000", "ACP_RATE_LIMIT_PER_ORGANIZATION", "20",
                "ACP_CASES_CREATED_PER_USER_AND_DAY", "2", "ACP_CASES_CREATED_PER_ORGANIZATION_AND_DAY", "2", "ACP_IDENTITY_ORGANIZATIONS_PER_USER_MAX", "2", "ACP_IDENTITY_CLIENTS_PER_ORGANIZATION_MAX", String.valueOf(CLIENTS)));
    }

    private record Tenant(Person founder, String organization, List<String> clients) {

        static Tenant create() {
            Person founder = someone();
            String organization = found(founder).object().getString("organizationID");
            List<String> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(PLATFORM.post("/auth/clients/token", client(founder, organization).object(), null).object().getString("accessToken"));
            }
            return new Tenant(founder, organization, clients);
        }
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static Person someone() {
        return PLATFORM.signIn("tenant-" + UUID.randomUUID() + "@example.org", "Ted", "Tenant");
    }

    private static Answer found(Person founder) {
        return node.post("/auth/organizations/create", new JsonObject().put("name", "Machines"), founder.token());
    }

    private static Answer client(Person founder, String organization) {
        return node.post("/auth/clients/create", new JsonObject().put("name", "Machine").put("permissions", new JsonArray()).put("organizationID", organization),
                founder.token());
    }

    @Test
    void anOrganizationHasABoundOfClientsAndAUserOfOrganizations() {
        Tenant tenant = Tenant.create();
        Answer client = client(tenant.founder, tenant.organization);
        assertThat(client.status()).isEqualTo(409);
        assertThat(client.sentence()).isEqualTo("an organization can have at most %d clients".formatted(CLIENTS));
        assertThat(found(tenant.founder).status()).isEqualTo(200);
        Answer third = found(tenant.founder);
        assertThat(third.status()).isEqualTo(409);
        assertThat(third.header("Error-Code")).isEqualTo("organization.too-many");
        assertThat(third.sentence()).isEqualTo("a user can create at most 2 organizations");
    }

    private static Answer create(Person by, String organization, String request) {
        return node.post("/cases/cases/create", new JsonObject().put("title", "One of many").put("ruleSet", "commercial").put("organizationID", organization)
                .put("requestID", request), by.token());
    }

    private static void isOver(Answer refused, String code, String sentence) {
        assertThat(refused.status()).as(refused.body()).isEqualTo(429);
        assertThat(refused.header("Error-Code")).isEqualTo(code);
        assertThat(refused.sentence()).isEqualTo(sentence);
        assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 86_400);
    }

    @Test
    void aUserAndAnOrganizationCreateSoManyCasesADay() {
        WholeDay.in(ZoneOffset.UTC);
        Person founder = someone();
        Person member = someone();
        String organization = found(founder).object().getString("organizationID");
        Answer invited = node.post("/auth/organizations/invitations/create", new JsonObject().put("organizationID", organization).put("userID", member.id()), founder.token());
        assertThat(node.post("/auth/organizations/invitations/accept", new JsonObject().put("invitationID", invited.object().getString("invitationID")), member.token()).status()).isEqualTo(200);
        assertThat(create(founder, null, "first").status()).isEqualTo(200);
        assertThat(create(founder, organization, "second").status()).isEqualTo(200);
        isOver(create(founder, organization, "third"), "case.too-many-today", "a user can create at most 2 cases a day");
        assertThat(create(founder, organization, "second").status()).as("the same again creates none").isEqualTo(200);
        assertThat(create(member, organization, "first").status()).isEqualTo(200);
        isOver(create(member, organization, "second"), "case.too-many-of-organization-today", "users can create at most 2 cases a day for one organization");
        assertThat(create(member, null, "third").status()).as("what was refused does not count").isEqualTo(200);
        assertThat(PLATFORM.rows("select 1 from cases.cases where created_by in (?::uuid, ?::uuid)", founder.id(), member.id())).hasSize(4);
        PLATFORM.rows("update cases.created_today set day = day - 1 where owner_id = ?::uuid returning 1", founder.id());
        assertThat(create(founder, null, "third").status()).as("on the next day").isEqualTo(200);
    }

    /** Twelve streams by their own shares; the node has eight, and half of them stay free. */
    @Test
    void theClientsOfAnOrganizationHaveHalfOfANodesStreamsAndAUserFindsRoom() throws Exception {
        List<StreamClient> open = new ArrayList<>();
        try {
            for (String token : Tenant.create().clients) {
                for (int i = 0; i < 2; i++) {
                    open.add(StreamClient.of(node, token));
                }
            }
            assertThat(open.stream().filter(stream -> stream.status() == 200)).hasSize(4);
            assertThat(open.stream().filter(stream -> stream.status() == 429)).hasSize(8);
            Person user = someone();
            for (int i = 0; i < 2; i++) {
                open.add(StreamClient.of(node, user.token()));
                assertThat(open.getLast().status()).isEqualTo(200);
            }
        } finally {
            for (StreamClient stream : open) {
                stream.close();
            }
        }
    }

    /** A user makes organizations and clients at no cost: however many it makes, others find a place. */
    @Test
    void theClientsOfAnotherOrganizationTakePlacesOfTheOneThatHasMostAndPeopleHaveTheirOwn() throws Exception {
        List<String> many = Tenant.create().clients;
        List<String> others = Tenant.create().clients;
        List<StreamClient> open = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                open.add(StreamClient.of(node, many.get(i)));
                assertThat(open.getLast().status()).isEqualTo(200);
            }
            for (int i = 0; i < 2; i++) {
                StreamClient oldest = open.get(i);
                open.add(StreamClient.of(node, others.get(i)));
                assertThat(open.getLast().status()).isEqualTo(200);
                Await.until("the oldest stream has ended", oldest::hasEnded);
            }
            open.add(StreamClient.of(node, others.get(2)));
            assertThat(open.getLast().status()).as("each has two").isEqualTo(503);
            for (int i = 0; i < 4; i++) {
                open.add(StreamClient.of(node, someone().token()));
                assertThat(open.getLast().status()).isEqualTo(200);
            }
            assertThat(open.subList(2, 6)).noneMatch(StreamClient::hasEnded);
        } finally {
            for (StreamClient stream : open) {
                stream.close();
            }
        }
    }

    @Test
    void theClientsOfAnOrganizationShareARateOfWhichAUserIsNoPart() {
        Person user = someone();
        List<String> clients = Tenant.create().clients;
        int asked = 0;
        Answer refused = null;
        while (refused == null && asked < 10_000) {
            Answer answer = node.post("/cases/cases/list", new JsonObject(), clients.get(asked++ % CLIENTS));
            refused = answer.status() == 429 ? answer : null;
        }
        assertThat(refused).as("after %d requests", asked).isNotNull();
        assertThat(refused.header("Error-Code")).isEqualTo("rate.limited");
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(asked).isGreaterThan(20);
        assertThat(node.post("/cases/cases/list", new JsonObject(), user.token()).status()).isEqualTo(200);
    }
}
